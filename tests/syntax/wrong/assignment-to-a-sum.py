# 3:1 error model-syntax: cannot assign to an expression
#   = to compare, write '=='
a + b = c
