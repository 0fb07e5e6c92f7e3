# 2:6 error model-syntax: expected '(', not ':'
def f:
    pass
