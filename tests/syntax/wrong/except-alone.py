# 3:1 error model-syntax: 'except' belongs to no 'try'
x = 1
except ValueError:
    y = 2
