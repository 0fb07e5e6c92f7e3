# 4:23 error model-syntax: expected ':', not '.'
try:
    x = 1
except ValueError as e.x:
    y = 2
