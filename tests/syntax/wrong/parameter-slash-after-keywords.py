# 2:18 error model-syntax: nothing comes after '**options'
def f(**options, /):
    pass
