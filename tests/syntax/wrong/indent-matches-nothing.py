# 5:1 error model-syntax: unindent does not match any outer indentation level
#   = indent the line like one of the lines above it
if x:
        a = 1
    b = 2
