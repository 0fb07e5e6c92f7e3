# 4:9 error model-syntax: 'break' outside of a loop
for x in y:
    def f():
        break
