# 3:1 error model-syntax: expected an indented block after class definition on line 2
class MLP(nn.Module):
x = 1
