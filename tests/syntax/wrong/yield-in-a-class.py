# 4:9 error model-syntax: 'yield' outside of a function
def f():
    class A:
        yield 1
