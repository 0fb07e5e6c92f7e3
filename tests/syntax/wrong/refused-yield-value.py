# 4:9 error model-refused: 'yield' is not part of the language of models
#   = collect the values in a list and return it
def f():
    x = yield
