# 2:13 error model-syntax: there are two parameters 'a'
def f(a, b, a):
    pass
