# 5:8 error model-syntax: 'except*' needs a type of exceptions
#   = write 'except* Exception:'
try:
    x = 1
except*:
    y = 2
