# 3:13 error model-syntax: '.' is not expected here
def f():
    global x.y
