# refused: 14:16: Model.block() missing 1 required keyword-only argument: 'scale'
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def block(self, x, n=1, *, scale):
        return x * n * scale

    def forward(self, x):
        return self.block(x, 2)
