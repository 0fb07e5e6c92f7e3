# 5:6 error model-syntax: expected ':', not 'if'
#   = write 'elif'
if a:
    b
else if c:
    d
