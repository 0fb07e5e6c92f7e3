# 2:8 error model-syntax: an argument without a name comes after '**'
f(**a, 2)
