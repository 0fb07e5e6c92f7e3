# works
# inputs: torch.randn(3, 4), 3
from typing import Optional

import torch
from torch import nn


class Attention(nn.Module):
    def forward(self, x, mask: Optional[torch.Tensor] = None):
        if mask is not None:
            x = x.masked_fill(mask, 0.0)
        return x


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.attention = Attention()
        self.cell = nn.LSTMCell(4, 4)

    def masked(self, x, mask=None):
        if x.size(0) > 2:
            mask = x > 1
        return self.attention(x, mask)

    def steps(self, x, n: int):
        state = None
        total = x
        for _ in range(n):
            state = self.cell(total, state)
            total = total + state[0]
        return total

    def largest(self, x, n: int):
        best = None
        for i in range(n):
            if best is None:
                best = i
            elif best < 2:
                best = i
        return x * (best if best is not None else 1)

    def summed(self, x, n: int):
        total = None
        for _ in range(n):
            if total is None:
                total = x
            else:
                total = total + x
        assert total is not None
        return total * 2

    def forward(self, x, n: int):
        x = self.linear(x)
        mask = None
        if x.size(0) > 1:
            mask = torch.ones(3, 4).triu().bool()
        previous = None
        for i in range(n):
            if previous is not None:
                x = x + previous * 0.5
            previous = x
        size = None
        if n > 2:
            size = x.size(1)
        if size is not None:
            x = x * size
        return self.attention(x, mask), self.masked(x), self.steps(x, n), self.largest(x, n), self.summed(x, n)
