# refused: 11:9: a method cannot have 'else' after a loop
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, n: int):
        for i in range(n):
            x = x + i
        else:
            x = x * 2
        return x
