# 2:7 error model-syntax: expected the name of a class, not '='
class = 3
