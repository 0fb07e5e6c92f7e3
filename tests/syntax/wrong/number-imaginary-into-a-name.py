# 2:7 error model-syntax: a number goes straight on into a name
x = 1jy
