# 4:1 error model-syntax: 'except' belongs to no 'try'
#   = it begins in the column of the 'try' that it belongs to
x = 1
except ValueError:
    y = 2
