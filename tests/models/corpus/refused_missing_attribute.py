# refused: 12:16: 'Model' object has no attribute 'laiers'
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Linear(2, 2)

    def forward(self, x):
        return self.laiers(x)
