# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.scale = " 1.5\n"

    def forward(self, x):
        x = self.linear(x) * float(self.scale) + float("2e-1")
        return x.clamp(float("-1e999"), float("inf"))
