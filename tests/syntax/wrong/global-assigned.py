# 4:14 error model-syntax: 'global' gives no value to a name
#   = write the assignment in a line of its own
def f():
    global x = 1
