# 2:15 error model-syntax: assignment expression cannot be used in a comprehension iterable expression
[i for i in [(k := 1) for j in range(5)]]
