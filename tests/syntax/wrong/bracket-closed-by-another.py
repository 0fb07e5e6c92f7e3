# 3:10 error model-syntax: ']' does not close the '('
#   = write ')' first
x = (1, 2]
