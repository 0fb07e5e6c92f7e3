# 2:5 error model-syntax: 'yield' outside of a function
x = yield 1
