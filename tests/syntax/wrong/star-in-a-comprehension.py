# 2:2 error model-syntax: a starred expression cannot be the element of a comprehension
[*a for a in b]
