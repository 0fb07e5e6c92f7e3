# refused: 15:16: Model.block() takes 3 positional arguments but 4 were given
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def block(self, x, n):
        return x * n

    def forward(self, x):
        y = self.block(x, n=2)
        return self.block(x, 2, 3)
