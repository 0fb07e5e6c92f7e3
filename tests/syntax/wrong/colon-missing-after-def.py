# 2:21 error model-syntax: expected ':', not the end of the line
def forward(self, x)
    return x
