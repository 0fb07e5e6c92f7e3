# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        rows, columns = x.shape
        x = self.linear(x) * (rows - 4) ** 65 + (rows - 4) ** 66
        return x + (columns - 4) ** 70 + (columns - 3) ** 99 + rows**39 * 1e-18
