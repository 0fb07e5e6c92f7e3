# works
# inputs: torch.randn(3, 4), 2
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def choose(self, x, n: int):
        if n == 0:
            return x
        for i in range(n):
            if i == 1:
                return self.linear(x) * i
        return -x

    def forward(self, x, n: int):
        return self.choose(x, n) + self.choose(x, 0) + self.choose(x, 1)
