# 3:6 error model-syntax: '=' is not expected here
#   = to compare, write '=='
if x = 3:
    pass
