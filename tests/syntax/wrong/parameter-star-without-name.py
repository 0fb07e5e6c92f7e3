# 2:7 error model-syntax: a parameter with a name follows '*'
def f(*, **options):
    pass
