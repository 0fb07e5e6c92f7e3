# 2:9 error model-syntax: a binary number has digits 0 and 1
x = 0b102
