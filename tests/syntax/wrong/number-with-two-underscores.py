# 2:6 error model-syntax: '_' stands between two digits of a number
x = 1__0
