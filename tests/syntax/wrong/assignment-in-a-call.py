# 3:11 error model-syntax: '=' names an argument; an attribute is no name
#   = to compare, write '=='
nn.Linear(self.width=3)
