# 2:13 error model-syntax: a format within a format within a format
x = f"{a:{b:{c}}}"
