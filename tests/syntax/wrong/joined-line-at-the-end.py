# 2:9 error model-syntax: the file ends after a '\' that joins lines
x = 1 + \