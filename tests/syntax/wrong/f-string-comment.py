# 2:12 error model-syntax: no '#' can stand between the braces of an f-string
x = f"""{a # b
}"""
