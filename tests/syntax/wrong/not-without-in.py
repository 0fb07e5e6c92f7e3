# 2:7 error model-syntax: 'not' is not expected here
x = a not b
