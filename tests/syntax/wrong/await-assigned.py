# 4:5 error model-syntax: cannot assign to an await expression
#   = to compare, write '=='
async def f():
    await x = 1
