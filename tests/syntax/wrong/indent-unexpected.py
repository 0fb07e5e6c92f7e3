# 3:5 error model-syntax: unexpected indent
x = 1
    y = 2
