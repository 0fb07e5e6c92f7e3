# works
# inputs: torch.randn(4, 6, 5), torch.randn(4, 6, 3, 3)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.ModuleList([nn.BatchNorm1d(6), nn.BatchNorm1d(6, affine=False), nn.BatchNorm1d(6, momentum=None), nn.BatchNorm1d(6, track_running_stats=False), nn.InstanceNorm1d(6), nn.LayerNorm(5), nn.LayerNorm((6, 5)), nn.LayerNorm(5, bias=False), nn.RMSNorm(5), nn.RMSNorm([6, 5], eps=1e-6), nn.GroupNorm(2, 6)])
        self.two = nn.ModuleList([nn.BatchNorm2d(6), nn.InstanceNorm2d(6, affine=True, track_running_stats=True), nn.GroupNorm(3, 6, affine=False)])

    def forward(self, x, y):
        return [norm(x) for norm in self.one], [norm(y) for norm in self.two]
