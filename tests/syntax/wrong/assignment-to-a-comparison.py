# 3:1 error model-syntax: cannot assign to a comparison
#   = to compare, write '=='
x == y = 3
