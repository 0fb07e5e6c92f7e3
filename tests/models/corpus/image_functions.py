# works
# inputs: torch.randn(2, 3, 4, 5)
import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 1)

    def forward(self, x):
        x = self.conv(x)
        return F.pixel_shuffle(torch.cat([x, x, x, x], 1), 2)
