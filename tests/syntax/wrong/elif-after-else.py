# 7:1 error model-syntax: 'elif' belongs to nothing above it
#   = it begins in the column of the 'if' that it belongs to
if a:
    b
else:
    c
elif d:
    e
