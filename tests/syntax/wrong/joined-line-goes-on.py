# 2:10 error model-syntax: a '\' that joins lines is the last thing in its line
x = 1 + \ 2
