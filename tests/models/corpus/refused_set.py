# refused: 11:17: a method cannot make a set
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, n: int):
        items = {n, 2}
        return x * len(items)
