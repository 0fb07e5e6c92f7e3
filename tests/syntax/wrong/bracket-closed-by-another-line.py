# 6:1 error model-syntax: '}' does not close the '[' of line 5
#   = write ']' first
x = {
    "a": 1,
    "b": [1, 2
}
