# 3:5 error model-syntax: ':' is not expected here
#   = an annotation is for one name, not for a tuple
a, b: int
