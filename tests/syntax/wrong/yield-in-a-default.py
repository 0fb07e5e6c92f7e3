# 2:10 error model-syntax: 'yield' outside of a function
def f(x=(yield)): pass
