# 2:5 error model-syntax: cannot assign to a call
for f() in x:
    pass
