# works
# inputs: torch.randn(1, 2, 4, 6, 4), torch.randn(2, 3, 6, 6)
import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(1))
        self.pools = nn.ModuleList(
            [nn.MaxPool3d(2), nn.AvgPool3d((2, 3, 1)), nn.AdaptiveAvgPool3d((2, None, 1)), nn.AdaptiveMaxPool3d(2)]
        )
        self.pool = nn.MaxPool2d(2, return_indices=True)
        self.unpool = nn.MaxUnpool2d(2)
        self.adaptive = nn.AdaptiveMaxPool2d(2, return_indices=True)
        self.normed = nn.LocalResponseNorm(2)

    def forward(self, x, y):
        x, y = x * self.weight, y * self.weight
        maxima, indices = self.pool(y)
        largest, where = self.adaptive(y)
        back = self.unpool(maxima, indices)
        again = F.max_unpool2d(maxima, indices, 2)
        return [pool(x) for pool in self.pools], maxima, indices, back, again, largest, where, self.normed(y), self.normed(x)
