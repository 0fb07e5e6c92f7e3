# works
# inputs: torch.randn(2, 3, 8), torch.randn(2, 3, 8, 6)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(1))
        self.one = nn.ModuleList([nn.MaxPool1d(2), nn.AvgPool1d(2), nn.AdaptiveAvgPool1d(5), nn.AdaptiveMaxPool1d(3)])
        self.two = nn.ModuleList([nn.MaxPool2d(2), nn.MaxPool2d((3, 2), stride=1, padding=1), nn.AvgPool2d(3, 2), nn.AdaptiveAvgPool2d((5, None)), nn.AdaptiveAvgPool2d(1), nn.AdaptiveMaxPool2d((2, 3)), nn.Flatten(), nn.ZeroPad2d(1), nn.ConstantPad2d((1, 2, 3, 4), 0.5), nn.ReflectionPad2d(1)])
        self.shapes = nn.Sequential(nn.Flatten(1, 2), nn.Unflatten(1, (3, 8)))

    def forward(self, x, y):
        x, y = x * self.weight, y * self.weight
        return [pool(x) for pool in self.one], [pool(y) for pool in self.two], self.shapes(y)
