# 3:1 error model-syntax: cannot assign to an f-string
#   = to compare, write '=='
f"{x}" = 3
