# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


def scaled(by):
    def scale(x):
        return x * by

    return scale


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.by_two = scaled(2)
        self.by_half = scaled(0.5)

    def forward(self, x):
        return self.by_half(self.by_two(self.by_two(self.linear(x))))
