# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Model(nn.Module):
    SCALE = 0.5

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.width = 4

    @property
    def scaled_width(self):
        return self.width * 2

    @staticmethod
    def shift(x, by=1.0):
        return x + by

    def helper(self, x, times=2, mask=None, add=False):
        for _ in range(times):
            x = self.linear(x)
        if mask is not None:
            x = x * mask
        if add:
            return x, times
        return x

    def forward(self, x):
        x = self.helper(x, times=1) * self.scaled_width
        x = self.helper(x, mask=x)
        y, times = self.helper(x, 3, add=True)
        return self.shift(y) * self.SCALE + Model.shift(x, 3) + times
