# 3:4 error model-syntax: '!' means nothing here
#   = write 'not'
if !a:
    b
