# 2:8 error model-syntax: '*' cannot come after '**' in a call
f(**a, *b)
