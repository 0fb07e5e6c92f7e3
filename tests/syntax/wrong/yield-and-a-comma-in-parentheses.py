# 3:18 error model-syntax: expected ')', not ','
def f():
    return (yield, 1)
