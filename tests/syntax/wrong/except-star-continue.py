# 7:13 error model-syntax: 'continue' cannot leave the block of an 'except*'
for a in b:
    try:
        x = 1
    except* ValueError:
        if a:
            continue
