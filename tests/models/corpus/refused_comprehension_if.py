# refused: 11:44: a comprehension in a method cannot choose with 'if'
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, n: int):
        return [x * i for i in range(n) if i > 1]
