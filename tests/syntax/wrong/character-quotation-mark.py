# 3:5 error model-syntax: '“' (U+201C) means nothing outside of a string
#   = write " or ' around a string
x = “abc”
