# 2:7 error model-syntax: expected the name of a parameter, not 'None'
def f(None):
    pass
