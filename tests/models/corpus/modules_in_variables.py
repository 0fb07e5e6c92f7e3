# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])
        self.last = 1

    def forward(self, x):
        first = self.layers[0]
        last = self.layers[self.last]
        layers = list(self.layers)
        index = 0
        x = last(first(x)) + self.layers[index](x)
        for layer in layers[::-1]:
            x = layer(x)
        return x + first.weight.sum()
