# 2:9 error model-syntax: expected an expression, not '}'
x = {1: }
