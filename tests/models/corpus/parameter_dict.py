# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = nn.ParameterDict({"left": nn.Parameter(torch.randn(4)), "right": torch.ones(4)})
        self.scales["more"] = nn.Parameter(torch.zeros(4))
        self.count = len(self.scales)

    def forward(self, x):
        y = x * self.scales["left"] + self.scales.right
        for name, scale in self.scales.items():
            if name != "left":
                y = y + scale
        for scale in self.scales.values():
            y = y * scale
        return y * self.count
