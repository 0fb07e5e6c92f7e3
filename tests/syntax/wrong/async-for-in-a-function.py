# 4:5 error model-syntax: 'async for' outside of an async function
#   = write 'async def' for the function around it
def f():
    async for x in y:
        pass
