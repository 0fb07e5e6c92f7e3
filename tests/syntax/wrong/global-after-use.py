# 4:5 error model-syntax: name 'x' is used prior to global declaration
def f():
    print(x)
    global x
