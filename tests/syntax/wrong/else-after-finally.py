# 8:1 error model-syntax: 'else' comes before 'finally'
try:
    x = 1
except ValueError:
    y = 2
finally:
    y = 3
else:
    y = 4
