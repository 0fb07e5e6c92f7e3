# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.layers = nn.Sequential(nn.ReLU(inplace=True), nn.Linear(4, 4), nn.LeakyReLU(0.1, inplace=True))
        self.dropout = nn.Dropout(0.4, inplace=True)

    def forward(self, x):
        x = self.linear(x)
        x = self.layers(x * 1.0)
        return self.dropout(x * 1.0)
