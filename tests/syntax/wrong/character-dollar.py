# 2:5 error model-syntax: '$' means nothing here
x = $y
