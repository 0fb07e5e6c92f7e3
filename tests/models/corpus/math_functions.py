# works
# inputs: torch.randn(3, 4), 5
import math

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))

    def forward(self, x, n: int):
        a = math.sqrt(n) + math.log(n) * math.pi
        b = math.floor(n / 2) + math.ceil(2.5)
        c = round(2.5) + round(n / 3) + abs(-n)
        d = int(n / 2) + float(n) + int(True)
        return x * self.weight * a + b * c + d + max(n, 3) + min(1.5, 2.0)
