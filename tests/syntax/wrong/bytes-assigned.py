# 3:1 error model-syntax: cannot assign to bytes
#   = to compare, write '=='
b"a" = 1
