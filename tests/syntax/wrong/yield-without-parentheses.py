# 4:12 error model-syntax: 'yield' needs parentheses inside of another expression
#   = write '(yield …)'
def f():
    return yield 1
