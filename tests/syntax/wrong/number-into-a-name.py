# 2:6 error model-syntax: a number goes straight on into a name
x = 3d
