# 2:12 error model-syntax: expected the name of a parameter, not '('
f = lambda (x): x
