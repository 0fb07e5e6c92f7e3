# 2:3 error model-syntax: cannot assign to __debug__
f(__debug__=1)
