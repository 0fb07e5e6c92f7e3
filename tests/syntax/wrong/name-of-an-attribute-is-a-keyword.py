# 2:3 error model-syntax: expected the name of an attribute, not 'class'
x.class = 3
