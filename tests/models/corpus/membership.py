# works
# inputs: torch.randn(3, 4), 2
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, mode: str = "mean"):
        super().__init__()
        self.mode = mode
        self.linear = nn.Linear(4, 4)

    def forward(self, x, n: int):
        x = self.linear(x)
        if self.mode in ("mean", "sum"):
            x = x.mean(dim=1)
        if n not in [1, 3] and n in (2, 4):
            x = x + n
        return x
