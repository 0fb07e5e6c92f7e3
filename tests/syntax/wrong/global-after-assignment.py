# 4:5 error model-syntax: name 'x' is assigned to before global declaration
def f():
    x = 1
    global x
