# 2:6 error model-syntax: ')' closes nothing
x = 1)
