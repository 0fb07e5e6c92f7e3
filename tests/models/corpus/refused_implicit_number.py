# refused: 11:16: a Tensor stands where an int is expected
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, n):
        return torch.zeros(n.sum(), 2) + x
