# 2:8 error model-syntax: an argument without a name comes after one with a name
f(a=1, 2)
