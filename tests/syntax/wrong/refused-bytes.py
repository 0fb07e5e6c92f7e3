# 3:5 error model-refused: bytes are not part of the language of models
#   = write a string or a list of numbers
x = b"abc"
