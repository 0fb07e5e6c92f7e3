# 3:1 error model-syntax: expected an indented block after 'for' statement on line 2
for x in y:
