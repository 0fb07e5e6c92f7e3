# 3:3 error model-syntax: ':=' stands in parentheses
#   = write '=' for an assignment
x := 1
