# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, **kwargs):
        super().__init__()
        self.linear = nn.Linear(4, 4, **kwargs)

    def forward(self, x, scale=1.0, **kwargs):
        return self.linear(x) * scale


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block(bias=False)

    def encode(self, x, **kwargs):
        return self.block(x, scale=2.0, **kwargs)

    def forward(self, x, **kwargs):
        return self.encode(x, **kwargs)
