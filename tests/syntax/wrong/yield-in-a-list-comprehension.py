# 4:14 error model-syntax: 'yield' inside of a list comprehension
#   = write a 'for' loop
def f():
    return [(yield x) for x in y]
