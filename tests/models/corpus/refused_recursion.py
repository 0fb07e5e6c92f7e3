# refused: 14:20: 'loop' calls itself
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def loop(self, x, n: int):
        if n == 0:
            return x
        else:
            return self.loop(x, n - 1)

    def forward(self, x, n: int):
        return self.loop(x, n)
