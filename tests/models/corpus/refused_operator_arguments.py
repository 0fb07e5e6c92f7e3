# refused: 12:16: Expected a value of type 'int' for argument 'dim' but instead found type 'List[int]'
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x):
        return torch.softmax(x, dim=[1, 2]) * self.weight
