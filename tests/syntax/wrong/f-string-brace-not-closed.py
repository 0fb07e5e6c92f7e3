# 3:7 error model-syntax: this '{' of an f-string is never closed
#   = write '}' where it ends, or '{{' for the character
x = f"{a"
