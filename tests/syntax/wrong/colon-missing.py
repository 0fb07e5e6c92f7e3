# 2:5 error model-syntax: expected ':', not the end of the line
if x
    y = 1
