# 2:8 error model-syntax: expected ',' or ']', not '2'
x = [1 2]
