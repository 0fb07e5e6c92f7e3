# 3:11 error model-syntax: assignment expression within a comprehension cannot be used in a class body
class A:
    b = [(j := i) for i in range(5)]
