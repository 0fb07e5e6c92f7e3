# 4:16 error model-syntax: 'yield' needs parentheses inside of another expression
#   = write '(yield …)'
def f():
    return [1, yield 2]
