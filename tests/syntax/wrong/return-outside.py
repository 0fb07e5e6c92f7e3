# 3:1 error model-syntax: 'return' outside of a function
x = 1
return x
