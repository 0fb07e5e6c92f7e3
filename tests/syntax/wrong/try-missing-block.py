# 3:1 error model-syntax: expected an indented block after 'try' statement on line 2
try:
x = 1
