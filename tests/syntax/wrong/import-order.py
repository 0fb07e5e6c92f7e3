# 3:10 error model-syntax: 'from' comes first
#   = write 'from MODULE import NAME'
import a from b
