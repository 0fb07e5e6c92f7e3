# 3:9 error model-refused: complex numbers are not part of the language of models
#   = keep real and imaginary part apart
x = 1 + 2j
