# 4:11 error model-syntax: a starred expression stands in a list, a tuple or a call
#   = for a tuple of its items, write a comma behind it
def f():
    yield *x
