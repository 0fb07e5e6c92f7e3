# 2:7 error model-syntax: there is no expression between the braces
x = f"{}"
