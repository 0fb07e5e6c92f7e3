# 3:5 error model-syntax: name 'x' is parameter and global
def f(x):
    global x
