# 4:8 error model-syntax: expected an expression, not 'as'
try:
    x = 1
except as e:
    y = 2
