# 4:22 error model-syntax: cannot assign to __debug__
try:
    x = 1
except ValueError as __debug__:
    y = 2
