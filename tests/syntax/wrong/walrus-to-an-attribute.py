# 2:5 error model-syntax: ':=' assigns to a name, not to an attribute
if (self.x := 1):
    pass
