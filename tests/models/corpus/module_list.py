# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Model(nn.Module):
    """Every way to go over modules."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(4)])
        self.norms = nn.ModuleList([nn.LayerNorm(4), nn.Identity()])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        for i, layer in enumerate(self.layers):
            x = layer(x) * i + x
        for layer, norm in zip(self.layers, self.norms):
            x = norm(layer(x))
        for layer in self.layers[1:3]:
            x = layer(x)
        for layer in reversed(self.layers):
            x = layer(x) + x
        for i in range(len(self.layers)):
            x = self.layers[i](x)
        return self.layers[-1](x) + len(self.layers)
