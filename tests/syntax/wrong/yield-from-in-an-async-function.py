# 4:5 error model-syntax: 'yield from' inside of an async function
#   = write 'async for' with a 'yield' in it
async def f():
    yield from x
