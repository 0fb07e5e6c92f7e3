# 6:1 error model-syntax: 'except' and 'except*' cannot belong to the same 'try'
try:
    x = 1
except ValueError:
    y = 2
except* TypeError:
    y = 3
