# works
# inputs: torch.randn(3, 4), 3
import torch
from torch import nn


class Model(nn.Module):
    """Conditions that are known before the first round, and not after it."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.rounds = 2

    def forward(self, x, n: int):
        i = 0
        while i < 2:
            x = self.linear(x) + i
            i += 1
        i = 0
        while i < x.size(0):
            x = x * 0.5 + i
            i = i + 1
        left = self.rounds
        while left:
            x = torch.tanh(x) + left
            left -= 1
        while n:
            x = x + n
            n -= 1
        while self.rounds > 5:
            x = x + 100
        total = 1
        while total < 20 and total != 7:
            total *= 2
            if total > 8:
                continue
            x = x + total
        while total > 0:
            x = x * 0.9
            total = total - 5
        done = False
        while not done:
            x = self.linear(x)
            done = True
        k = 0
        while k < len(self.layers):
            x = self.layers[k](x) + k
            k += 1
        return x + i + k + total
