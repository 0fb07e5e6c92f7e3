# 3:11 error model-syntax: expected a name, not the end of the line
def f():
    global
