# refused: 12:16: the pattern of rearrange() is known only while the model runs
import torch
from einops import rearrange
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, pattern: str):
        return rearrange(x, pattern)
