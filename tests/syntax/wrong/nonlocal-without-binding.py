# 3:5 error model-syntax: no binding for nonlocal 'x' found
def f():
    nonlocal x
