# works
# inputs: torch.randn(3, 4)
from typing import Optional

import torch
from torch import nn, Tensor


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.calls = 0
        self.cache: Optional[Tensor] = None
        self.last = None

    def forward(self, x):
        self.calls += 1
        x = self.linear(x) * self.calls
        cache = self.cache
        if cache is not None:
            x = x + cache
        self.cache = x.detach()
        self.last = x
        return x
