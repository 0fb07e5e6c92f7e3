# 3:5 error model-syntax: name 'x' is parameter and nonlocal
def f(x):
    nonlocal x
