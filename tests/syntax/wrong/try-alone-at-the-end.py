# 5:1 error model-syntax: expected 'except' or 'finally', not the end of the block
def f():
    try:
        x = 1
