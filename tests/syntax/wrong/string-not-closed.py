# 3:5 error model-syntax: the string is never closed
#   = write " before the end of the line
x = "abc
y = 1
