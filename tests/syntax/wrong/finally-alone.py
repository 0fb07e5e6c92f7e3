# 4:1 error model-syntax: 'finally' belongs to no 'try'
#   = it begins in the column of the 'try' that it belongs to
x = 1
finally:
    y = 2
