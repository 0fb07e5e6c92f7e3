# 4:5 error model-syntax: cannot assign to a call
#   = to compare, write '=='
def build(x):
    len(x) = 3
