# 2:6 error model-syntax: expected 'def', 'for' or 'with', not the end of the line
async
def f(): pass
