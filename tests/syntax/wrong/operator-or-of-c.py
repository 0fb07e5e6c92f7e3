# 3:7 error model-syntax: '||' is no operator
#   = write 'or'
if a || b:
    c
