# 4:1 error model-syntax: 'else' belongs to nothing above it
#   = it begins in the column of the 'if', 'for', 'while' or 'try' that it belongs to
x = 1
else:
    y = 2
