# 3:9 error model-syntax: cannot delete an await expression
async def f():
    del await x
