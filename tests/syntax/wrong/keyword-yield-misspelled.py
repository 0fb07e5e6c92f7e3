# 4:11 error model-syntax: 'x' is not expected here
#   = did you mean 'yield'?
def f():
    yeild x
