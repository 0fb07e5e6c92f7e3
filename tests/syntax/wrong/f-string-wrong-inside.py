# 2:15 error model-syntax: expected an expression, not the end of the braces
x = f"the {a +} end"
