# refused: 12:28: which module this is would be known only while the model runs
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])

    def forward(self, x, n: int):
        return self.layers[n](x)
