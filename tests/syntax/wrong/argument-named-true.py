# 3:3 error model-syntax: '=' names an argument; True is no name
#   = to compare, write '=='
f(True=1)
