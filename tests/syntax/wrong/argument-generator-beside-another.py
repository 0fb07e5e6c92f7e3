# 2:5 error model-syntax: a generator beside other arguments needs parentheses
sum(x for x in y, 1)
