# interpreted: 15:33: which module this is would be known only while the model runs
# inputs: torch.randn(2, 3, 8, 8)
import torch
from torch import nn
from torch.nn import functional as F


class Model(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.depth = depth
        self.convs = nn.ModuleList([nn.Conv2d(3, 3, 3, padding=1) for _ in range(2 * depth)])

    def descend(self, level, x):
        low = F.relu(self.convs[2 * level - 2](F.max_pool2d(x, 2)))
        inner = self.descend(level - 1, low) if level > 1 else low
        return F.interpolate(self.convs[2 * level - 1](inner), scale_factor=2) + x

    def forward(self, x):
        return self.descend(self.depth, x)
