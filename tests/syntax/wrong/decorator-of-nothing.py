# 3:1 error model-syntax: expected 'def' or 'class', not 'x'
@property
x = 1
