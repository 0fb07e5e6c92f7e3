# 5:9 error model-syntax: name 'x' is nonlocal and global
def f():
    x = 1
    def g():
        global x
        nonlocal x
