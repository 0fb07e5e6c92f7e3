# 2:11 error model-syntax: there is one '*' at most
def f(*a, *b):
    pass
