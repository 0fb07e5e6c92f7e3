# 6:9 error model-syntax: 'break' cannot leave the block of an 'except*'
for a in b:
    try:
        x = 1
    except* ValueError:
        break
