# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Block(nn.Module):
    """One class, several configurations: each has its own code."""

    def __init__(self, scale, gate, size):
        super().__init__()
        self.scale = scale
        self.gate = nn.Linear(4, 4) if gate else None
        self.size = size

    def forward(self, x):
        x = x * self.scale
        if self.gate is not None:
            x = x * torch.sigmoid(self.gate(x))
        return x + self.size


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(1.0, True, 1), Block(2.0, False, 1), Block(2, True, 0.5)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
