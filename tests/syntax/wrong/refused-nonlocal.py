# 4:5 error model-refused: 'nonlocal' is not part of the language of models
#   = give the value as an argument, or keep it as an attribute of self
def f():
    nonlocal x
