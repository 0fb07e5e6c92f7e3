# 2:5 error model-syntax: 'await' outside of an async function
x = await y
