# 2:11 error model-syntax: expected 'else' for the 'if' before, not the end of the line
x = 1 if y
