# refused: 11:16: the middle of this comparison would be computed twice
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        if 0 < torch.rand(1).item() < 1:
            return x
        return x * 2
