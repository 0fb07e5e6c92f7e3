# 2:1 error model-syntax: a starred target stands in a list or tuple
*a = c
