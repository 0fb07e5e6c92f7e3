# 2:14 error model-syntax: expected 'for', not 'y'
x = [y async y in z]
