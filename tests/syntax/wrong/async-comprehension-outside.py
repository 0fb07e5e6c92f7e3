# 2:5 error model-syntax: an async comprehension outside of an async function
x = [y async for y in z]
