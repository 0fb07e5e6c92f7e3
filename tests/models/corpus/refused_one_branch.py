# refused: 13:16: 'y' is set only where the condition of the 'if' holds
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, n: int):
        if n > 1:
            y = x
        return y
