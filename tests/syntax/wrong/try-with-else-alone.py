# 4:1 error model-syntax: expected 'except' or 'finally', not 'else'
try:
    x = 1
else:
    y = 2
