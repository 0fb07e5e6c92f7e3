# 3:4 error model-syntax: ':' is not expected here
#   = an annotation is for one name, not for a list
[a]: int
