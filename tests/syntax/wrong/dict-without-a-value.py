# 2:13 error model-syntax: expected ':' and a value, not '}'
x = {1: 2, 3}
