# 4:17 error model-syntax: 'yield' inside of a generator
#   = write a 'for' loop
def f():
    return sum((yield x) for x in y)
