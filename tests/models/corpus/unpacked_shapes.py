# works
# inputs: torch.randn(2, 3, 4, 5)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(5))

    def forward(self, x):
        B, *rest = x.shape
        *lead, C = x.size()
        first, *middle, last = x.shape
        x = x * self.weight
        y = x.view(B, -1, x.size(-1)).reshape(*lead, C)
        b, c, h, w = y.shape
        rearranged = y.reshape(b, c, h // 2, 2, w).permute(0, 2, 1, 3, 4).flatten(1, 2)
        return y, rearranged, x.sum() * len(rest) * middle[0] * last * first
