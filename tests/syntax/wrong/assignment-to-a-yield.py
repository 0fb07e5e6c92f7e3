# 4:9 error model-syntax: cannot assign to a yield expression
#   = to compare, write '=='
def f():
    x = yield = 1
