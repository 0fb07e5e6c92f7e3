# 2:11 error model-syntax: cannot assign to a number
with a as 1:
    pass
