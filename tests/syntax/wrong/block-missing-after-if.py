# 4:1 error model-syntax: expected an indented block after 'if' statement on line 2
if x:
# only a comment
y = 1
