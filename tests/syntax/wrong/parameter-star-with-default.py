# 2:9 error model-syntax: '*a' has no default
def f(*a=1):
    pass
