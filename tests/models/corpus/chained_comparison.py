# works
# inputs: torch.randn(3, 4), 5
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, n: int):
        if 1 < n <= 5 < 7 != 8:
            x = self.linear(x)
        if not 0 < x.size(0) < 3:
            x = x * 2
        return x
