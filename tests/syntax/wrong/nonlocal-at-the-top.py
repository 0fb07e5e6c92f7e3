# 2:1 error model-syntax: nonlocal declaration not allowed at module level
nonlocal x
