# 6:9 error model-syntax: no binding for nonlocal 'x' found
def f():
    global x
    x = 1
    def g():
        nonlocal x
