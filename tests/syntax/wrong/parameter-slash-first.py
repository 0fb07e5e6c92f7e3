# 2:7 error model-syntax: a parameter comes before '/'
def f(/, a):
    pass
