from torch import nn


class Line(nn.Module):
    def __init__(self, inputs: int = 2)
        super().__init__()
