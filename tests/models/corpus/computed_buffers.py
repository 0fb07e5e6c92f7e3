# works
# inputs: torch.randn(2, 5, 4)
import math

import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, width, most=16):
        super().__init__()
        table = torch.zeros(most, width)
        position = torch.arange(most, dtype=torch.float).unsqueeze(1)
        rates = torch.exp(torch.arange(0, width, 2).float() * (-math.log(10000.0) / width))
        table[:, 0::2] = torch.sin(position * rates)
        table[:, 1::2] = torch.cos(position * rates)
        self.register_buffer("table", table[None])
        self.register_buffer("slopes", torch.tensor([2 ** (-8 * (i + 1) / 4) for i in range(4)]), persistent=False)
        self.register_buffer("step", torch.tensor(0), persistent=False)

    def forward(self, x):
        T = x.size(1)
        distance = torch.arange(T)[None, :] - torch.arange(T)[:, None]
        return x + self.table[:, :T], distance.abs() * self.slopes[:, None, None]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.positions = Positions(4)
        self.linear = nn.Linear(4, 4)
        self.register_buffer("kernel", torch.outer(torch.tensor([1.0, 2.0, 1.0]), torch.tensor([1.0, 2.0, 1.0])) / 16)

    def forward(self, x):
        x, bias = self.positions(self.linear(x))
        return x, bias, torch.nn.functional.conv2d(x[:, None], self.kernel[None, None], padding=1)
