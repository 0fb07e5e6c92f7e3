# 3:1 error model-syntax: cannot assign to a number
#   = to compare, write '=='
1 = x
