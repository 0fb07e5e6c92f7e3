# 2:7 error model-syntax: a hexadecimal number has digits 0 to 9 and a to f
x = 0xg
