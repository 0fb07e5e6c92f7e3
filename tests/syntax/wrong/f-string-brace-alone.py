# 3:8 error model-syntax: a '}' alone in an f-string
#   = write '}}'
x = f"a}"
