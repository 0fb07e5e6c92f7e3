# works
# inputs: torch.randn(2, 6), 3
import torch
from torch import nn


class Model(nn.Module):
    """Numbers: floor division, modulo and powers mean what they mean in Python."""

    def __init__(self):
        super().__init__()
        self.scale = 6 ** -0.5
        self.linear = nn.Linear(6, 6)

    def forward(self, x, n: int):
        half = n // 2
        rest = -n % 4
        square = n ** 2
        root = n ** 0.5
        n += 1
        x = self.linear(x) * self.scale + half - rest * root
        x = x / square
        return x.view(n // 2, -1), (2 ** 3) * x, x ** 2
