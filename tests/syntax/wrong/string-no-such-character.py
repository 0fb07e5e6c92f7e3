# 2:6 error model-syntax: there is no character of this number
x = "\U00110000"
