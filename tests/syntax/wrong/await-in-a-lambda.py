# 4:20 error model-syntax: 'await' outside of an async function
#   = write 'async def' for the function around it
async def f():
    return lambda: await y
