# refused: 12:16: an int is needed here, and this is a List[int]
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x):
        return torch.softmax(x, dim=[1, 2]) * self.weight
