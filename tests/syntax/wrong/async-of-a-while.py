# 3:11 error model-syntax: expected 'def', 'for' or 'with', not 'while'
async def f():
    async while x:
        pass
