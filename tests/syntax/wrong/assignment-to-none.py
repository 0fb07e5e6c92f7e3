# 2:1 error model-syntax: cannot assign to None
None = 1
