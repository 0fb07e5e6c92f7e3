# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        a, b, c = self.linear(x), x * 2, x + 1
        x = a + b * c
        del [a, b], (c,)
        a = x.sum()
        del a
        return x
