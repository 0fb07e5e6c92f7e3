# 4:12 error model-syntax: an async comprehension outside of an async function
#   = write 'async def' for the function around it
def f():
    return {await y for y in z}
