# 2:7 error model-syntax: cannot assign to __debug__
def f(__debug__):
    pass
