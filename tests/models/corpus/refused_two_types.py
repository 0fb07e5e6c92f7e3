# refused: 13:13: 'y' is a Tensor before and becomes an int here
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
