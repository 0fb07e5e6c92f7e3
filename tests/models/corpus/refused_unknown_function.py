# refused: 12:16: module 'torch.nn.functional' has no attribute 'relux'
import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return F.relux(x)
