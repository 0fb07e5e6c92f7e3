# works
# inputs: torch.randn(3, 4)
from typing import Optional

import torch
from torch import nn, Tensor


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.calls = 2
        self.cache: Optional[Tensor] = None

    def forward(self, x):
        x = self.linear(x) * getattr(self, "calls", 10)
        self.calls += 1
        if hasattr(self, "calls"):
            x = x * getattr(self, "calls")
        if hasattr(self, "cache"):
            cache = self.cache
            if cache is not None:
                x = x + cache
        self.cache = x.detach()
        return x
