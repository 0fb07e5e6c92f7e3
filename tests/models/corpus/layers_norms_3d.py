# works
# inputs: torch.randn(2, 3, 2, 3, 2), torch.randn(2, 3, 4)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.three = nn.ModuleList([nn.BatchNorm3d(3), nn.InstanceNorm3d(3, affine=True), nn.GroupNorm(3, 3)])
        self.one = nn.InstanceNorm1d(3, track_running_stats=True, momentum=0.3)

    def forward(self, x, y):
        return [norm(x) for norm in self.three], self.one(y), self.one(y[0])
