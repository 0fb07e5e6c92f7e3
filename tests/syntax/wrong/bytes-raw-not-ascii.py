# 2:8 error model-syntax: bytes can only contain ASCII characters
x = rb"é"
