# 2:7 error model-syntax: '\x' needs 2 hexadecimal digits
x = b"\x1"
