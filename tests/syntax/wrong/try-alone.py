# 4:1 error model-syntax: expected 'except' or 'finally', not 'y'
try:
    x = 1
y = 2
