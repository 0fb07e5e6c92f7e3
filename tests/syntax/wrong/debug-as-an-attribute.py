# 2:3 error model-syntax: cannot assign to __debug__
x.__debug__ = 1
