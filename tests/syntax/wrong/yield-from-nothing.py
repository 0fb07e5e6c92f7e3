# 3:15 error model-syntax: expected an expression, not the end of the line
def f():
    yield from
