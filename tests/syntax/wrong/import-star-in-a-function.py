# 3:23 error model-syntax: 'import *' stands at the top of a file only
def f():
    from torch import *
