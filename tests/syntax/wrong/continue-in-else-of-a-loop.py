# 5:5 error model-syntax: 'continue' outside of a loop
for x in y:
    pass
else:
    continue
