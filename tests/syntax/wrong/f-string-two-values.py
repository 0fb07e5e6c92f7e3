# 2:10 error model-syntax: 'b' is not expected here
x = f"{a b}"
