# 5:1 error model-syntax: inconsistent use of tabs and spaces in indentation
#   = indent every line of the file with spaces
if x:
        a = 1
	b = 2
