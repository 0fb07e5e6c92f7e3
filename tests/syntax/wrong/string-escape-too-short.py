# 2:6 error model-syntax: '\x' needs 2 hexadecimal digits
x = "\x4"
