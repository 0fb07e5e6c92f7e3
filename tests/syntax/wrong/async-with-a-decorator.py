# 3:7 error model-syntax: expected 'def', not 'for'
@x
async for y in z:
    pass
