# 2:1 error model-syntax: cannot assign to __debug__
__debug__ = False
