# 4:5 error model-syntax: annotated name 'x' can't be global
def f():
    x: int
    global x
