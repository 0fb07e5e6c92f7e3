# 3:5 error model-syntax: a whole number does not begin with 0
#   = write 0o… for an octal number
x = 012
