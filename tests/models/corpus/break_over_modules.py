# works
# inputs: torch.randn(3, 4), 1
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.depth = depth
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])

    def some(self, x):
        for i, layer in enumerate(self.layers):
            if i >= self.depth:
                break
            x = layer(x)
        return x

    def skipping(self, x, skipped: int):
        for i, layer in enumerate(self.layers):
            if i == skipped:
                continue
            for _ in range(3):
                if x.sum() > 100:
                    break
                x = layer(x)
        return x

    def forward(self, x, n: int):
        y = x
        for i, layer in enumerate(self.layers):
            y = layer(y)
            if i == n or y.abs().max() < 1e-3:
                break
            y = y * 2
        return y, self.some(x), self.skipping(x, n)
