# refused: 15:9: Variable 'y' previously had type Tensor but is now being assigned to a value of type int
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, n: int):
        y = x
        if n > 1:
            y = n
        return y
