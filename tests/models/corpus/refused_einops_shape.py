# refused: 10:39: Error while processing rearrange-reduction pattern "(h w) -> h w" for a tensor of shape [10]: Shape mismatch, can't divide axis of length 10 in chunks of 3
import torch
from einops import rearrange
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", rearrange(torch.arange(10), "(h w) -> h w", h=3))

    def forward(self, x):
        return x + self.table
