# 2:8 error model-syntax: '+=' is not expected here
x += y += 1
