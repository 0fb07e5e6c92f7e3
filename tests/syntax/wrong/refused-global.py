# 4:5 error model-refused: 'global' is not part of the language of models
#   = give the value as an argument, or keep it as an attribute of self
def f():
    global x
