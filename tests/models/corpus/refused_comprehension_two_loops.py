# refused: 11:16: a comprehension in a method has one 'for'
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, n: int):
        return [x * i * j for i in range(n) for j in range(n)]
