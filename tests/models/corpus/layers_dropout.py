# works
# inputs: torch.randn(4, 6, 3, 3)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(1))
        self.layers = nn.ModuleList([nn.Dropout(0.3), nn.Dropout2d(0.5), nn.AlphaDropout(0.2), nn.Dropout(0.0)])

    def forward(self, x):
        x = x * self.weight
        return [layer(x) for layer in self.layers]
