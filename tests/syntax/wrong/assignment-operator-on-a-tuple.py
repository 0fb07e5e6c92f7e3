# 2:1 error model-syntax: '+=' cannot change a tuple
(a, b) += 1
