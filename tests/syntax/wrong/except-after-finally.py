# 6:1 error model-syntax: 'except' comes before 'finally'
try:
    x = 1
finally:
    y = 2
except TypeError:
    y = 3
