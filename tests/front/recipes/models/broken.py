from torch import nn


class Line(nn.Module):
    def __init__(self, inputs: int, outputs: int)
        super().__init__()
