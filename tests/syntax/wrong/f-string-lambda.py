# 2:8 error model-syntax: a lambda in an f-string needs parentheses
x = f"{lambda x: 1}"
