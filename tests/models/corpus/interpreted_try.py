# interpreted: 14:9: a method cannot catch an exception
# inputs: torch.randn(2, 4)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.scales = {"wide": 2.0}

    def forward(self, x):
        try:
            scale = self.scales["narrow"]
        except KeyError:
            scale = 0.5
        return self.linear(x) * scale
