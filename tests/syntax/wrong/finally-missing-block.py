# 5:1 error model-syntax: expected an indented block after 'finally' statement on line 4
try:
    x = 1
finally:
y = 2
