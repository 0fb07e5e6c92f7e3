# 2:3 error model-syntax: assignment expression cannot rebind comprehension iteration variable 'i'
[(i := 0) for i in range(5)]
