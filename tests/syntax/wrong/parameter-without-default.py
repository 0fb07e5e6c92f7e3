# 2:12 error model-syntax: 'b' needs a default: the parameter before it has one
def f(a=1, b):
    pass
