# 4:33 error model-syntax: 'yield from' inside of a dict comprehension
#   = write a 'for' loop
def f():
    return {x: x for x in y if (yield from x)}
