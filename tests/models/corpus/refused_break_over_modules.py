# refused: 15:17: a loop over modules runs to its end
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])

    def forward(self, x, n: int):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i == n:
                break
        return x
