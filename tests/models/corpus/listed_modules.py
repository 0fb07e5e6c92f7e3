# works
# inputs: torch.randn(3, 4)
# A plain list of modules that are registered under other names, as in pyGAT.
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Linear(4, 2) for _ in range(3)]
        for i, part in enumerate(self.parts):
            self.add_module("part_{}".format(i), part)
        self.out = nn.Linear(6, 2)

    def forward(self, x):
        y = torch.cat([part(x) for part in self.parts], dim=1)
        if len(self.parts) == 3:
            y = y + self.parts[0](x).repeat(1, 3)
        return self.out(y)
