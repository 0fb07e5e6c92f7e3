# 4:5 error model-syntax: annotated name 'x' can't be global
def f():
    global x
    x: int = 1
