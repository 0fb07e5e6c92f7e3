# 3:7 error model-syntax: print is a function
#   = write print(…)
print "x"
