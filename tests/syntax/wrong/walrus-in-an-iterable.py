# 2:14 error model-syntax: assignment expression cannot be used in a comprehension iterable expression
[i for i in (j := range(5))]
