# 3:5 error model-syntax: 'return' outside of a function
class A:
    return 1
