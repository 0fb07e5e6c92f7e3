# 3:7 error model-syntax: 'y' is not expected here
#   = an operator, a comma or the end of the line is missing before it
x = 1 y = 2
