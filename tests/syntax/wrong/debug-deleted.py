# 2:5 error model-syntax: cannot delete __debug__
del __debug__
