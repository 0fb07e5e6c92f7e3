# 2:5 error model-syntax: expected an expression, not the end of the line
x = 
