# refused: 11:20: 'scale' is not known in a method
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return x * scale
