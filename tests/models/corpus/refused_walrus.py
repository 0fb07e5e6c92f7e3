# refused: 11:13: a method cannot assign inside an expression
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        if (n := x.size(0)) > 2:
            x = x * n
        return x
