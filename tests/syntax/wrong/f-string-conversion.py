# 2:9 error model-syntax: '!' is followed by r, s or a
x = f"{a!x}"
