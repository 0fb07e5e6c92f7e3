# 4:5 error model-syntax: 'return' with a value in an async generator
async def f():
    yield 1
    return 2
