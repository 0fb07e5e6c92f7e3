# 2:5 error model-syntax: only one starred target can stand in an assignment
*a, *b = c
