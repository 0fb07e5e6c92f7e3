# refused: 12:20: could not convert string to float: 'abc'
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x):
        return x * float("abc")
