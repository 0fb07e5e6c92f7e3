# 7:13 error model-syntax: 'return' cannot leave the block of an 'except*'
def f():
    try:
        x = 1
    except* ValueError:
        for a in b:
            return a
