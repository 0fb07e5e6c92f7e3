# 4:1 error model-syntax: an 'except:' without a type comes last
try:
    x = 1
except:
    y = 2
except ValueError:
    y = 3
