# works
# inputs: torch.randn(3, 4), 3
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, n: int):
        for i in range(n):
            if i == 1:
                continue
            x = self.linear(x) + i
        i = 0
        while True:
            i += 1
            if i > 4:
                break
            x = x * 1.5
        for i, row in enumerate(x):
            x = x + row.sum() * i
        for a, b in zip([1, 2], [3.0, 4.0]):
            x = x + a * b
        return x
