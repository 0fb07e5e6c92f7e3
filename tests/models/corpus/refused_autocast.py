# refused: 11:14: a model does not choose its precision
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return x * 2
