# 3:9 error model-syntax: bytes can only contain ASCII characters
#   = the bytes of 'é' are \xc3\xa9
x = b"a é"
