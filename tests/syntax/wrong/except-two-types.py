# 5:8 error model-syntax: several types of exceptions need parentheses
#   = write 'except (A, B):' for two types, 'except A as b:' for a name
try:
    x = 1
except ValueError, TypeError:
    y = 2
