# 2:5 error model-syntax: cannot delete a call
del f()
