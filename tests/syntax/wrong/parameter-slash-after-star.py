# 2:13 error model-syntax: '/' comes before '*'
def f(*, a, /):
    pass
