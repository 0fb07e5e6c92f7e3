# refused: 12:16: Error while processing rearrange-reduction pattern "b c -> b c h": Identifiers only on one side of expression (should be on both): {'h'}
import torch
from einops import rearrange
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return rearrange(x, "b c -> b c h")
