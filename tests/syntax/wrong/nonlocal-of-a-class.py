# 5:9 error model-syntax: no binding for nonlocal 'x' found
class A:
    x = 1
    def f(self):
        nonlocal x
