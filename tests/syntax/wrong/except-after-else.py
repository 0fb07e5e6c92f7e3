# 8:1 error model-syntax: 'except' comes before 'else'
try:
    x = 1
except ValueError:
    y = 2
else:
    y = 3
except TypeError:
    y = 4
