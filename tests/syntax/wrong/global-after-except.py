# 7:5 error model-syntax: name 'x' is assigned to before global declaration
def f():
    try:
        pass
    except ValueError as x:
        pass
    global x
