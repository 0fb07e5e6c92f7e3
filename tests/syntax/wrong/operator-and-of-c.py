# 3:7 error model-syntax: '&&' is no operator
#   = write 'and'
if a && b:
    c
