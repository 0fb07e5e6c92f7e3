# 2:21 error model-syntax: expected ':', not the end of the line
class MLP(nn.Module)
    pass
