# 2:1 error model-syntax: 'async with' outside of an async function
async with x:
    pass
