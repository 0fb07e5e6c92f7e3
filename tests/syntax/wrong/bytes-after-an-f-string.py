# 3:12 error model-syntax: bytes and a string cannot be joined
#   = write a 'b' before each of them or before none
x = f"{a}" b"b"
