# 5:1 error model-syntax: expected an indented block after 'except*' statement on line 4
try:
    x = 1
except* ValueError:
y = 2
