# works
# inputs: torch.randn(3, 4), 0
import torch
from torch import nn


class Model(nn.Module):
    """`a or b` is one of the two, not a truth value."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, n: int):
        m = n or 3
        k = m and 5
        flag = n > 1 or m > 2
        if flag and k == 5:
            x = self.linear(x) * m
        return x
