# 2:1 error model-syntax: 'break' outside of a loop
break
