# 2:13 error model-syntax: the argument 'a' is given twice
f(a=1, b=2, a=3)
