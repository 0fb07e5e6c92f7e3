# 3:10 error model-syntax: 'width' is not expected here
#   = an operator, a comma or the end of the line is missing before it
x = self width
