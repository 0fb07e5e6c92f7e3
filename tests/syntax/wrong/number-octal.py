# 2:7 error model-syntax: an octal number has digits 0 to 7
x = 0o8
