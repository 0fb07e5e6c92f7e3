# 3:7 error model-syntax: '<>' is no operator
#   = write '!='
x = a <> b
