# 3:6 error model-syntax: '+=' cannot change a yield expression
def f():
    (yield) += 1
