# works
# inputs: torch.randn(3, 4), None
from typing import Optional

import torch
from torch import nn, Tensor


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        x = self.linear(x) if mask is None else self.linear(x * mask)
        y = x if x.size(0) > 5 else -x
        return y
