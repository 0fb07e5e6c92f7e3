# 2:7 error model-syntax: expected 'in', not 'y'
for x y in z:
    pass
