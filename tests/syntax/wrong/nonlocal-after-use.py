# 6:9 error model-syntax: name 'x' is used prior to nonlocal declaration
def f():
    x = 1
    def g():
        print(x)
        nonlocal x
