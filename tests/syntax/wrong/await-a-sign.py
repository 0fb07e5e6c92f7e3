# 3:18 error model-syntax: expected an expression, not '-'
async def f():
    return await -x
