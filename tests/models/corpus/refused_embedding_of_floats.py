# refused: 12:27: torch has no operator of these arguments
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x):
        return torch.softmax(x, dim="last") * self.weight
