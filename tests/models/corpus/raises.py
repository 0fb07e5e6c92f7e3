# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class ShapeError(ValueError):
    pass


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        if x.dim() != 2:
            raise ShapeError(f"expected 2 dimensions, got {x.dim()}")
        if x.size(1) != 4:
            raise NotImplementedError
        if not self.training and x.size(0) == 0:
            raise ValueError("empty")
        return self.linear(x)
