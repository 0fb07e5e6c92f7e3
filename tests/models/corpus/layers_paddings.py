# works
# inputs: torch.randn(2, 3, 6), torch.randn(2, 3, 6, 7), torch.randn(1, 2, 4, 5, 6)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(1))
        self.one = nn.ModuleList(
            [nn.ConstantPad1d(1, 3.5), nn.ZeroPad1d((1, 2)), nn.ReflectionPad1d(2), nn.ReplicationPad1d(1), nn.CircularPad1d(2)]
        )
        self.two = nn.ModuleList(
            [
                nn.ConstantPad2d((1, 2, 3, 4), 0.5), nn.ZeroPad2d(1), nn.ReflectionPad2d((1, 2, 0, 1)),
                nn.ReplicationPad2d(2), nn.CircularPad2d((1, 1, 2, 0)),
            ]
        )
        self.three = nn.ModuleList(
            [nn.ConstantPad3d(1, 2.0), nn.ZeroPad3d(1), nn.ReflectionPad3d(1), nn.ReplicationPad3d(1), nn.CircularPad3d(1)]
        )

    def forward(self, x, y, z):
        x, y, z = x * self.weight, y * self.weight, z * self.weight
        return [pad(x) for pad in self.one], [pad(y) for pad in self.two], [pad(z) for pad in self.three]
