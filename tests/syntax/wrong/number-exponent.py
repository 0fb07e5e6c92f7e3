# 2:6 error model-syntax: an exponent needs digits
x = 1e+
