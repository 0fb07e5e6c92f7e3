# 3:5 error model-syntax: '[' is never closed
#   = write ']' where it ends
x = [1,
     2
