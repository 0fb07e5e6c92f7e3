# 3:9 error model-syntax: no backslash can stand between the braces of an f-string
#   = give the value a name before
x = f"{'\n'}"
