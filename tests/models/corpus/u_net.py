# works
# inputs: torch.randn(2, 3, 8, 8)
import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    """Skips in a list, picked by numbers that a loop counts."""

    def __init__(self, widths=(3, 4, 6)):
        super().__init__()
        self.downs = nn.ModuleList([nn.Conv2d(a, b, 3, padding=1) for a, b in zip(widths, widths[1:])])
        self.ups = nn.ModuleList([nn.Conv2d(b + b, a, 3, padding=1) for a, b in zip(widths, widths[1:])])

    def forward(self, x):
        skips = []
        for down in self.downs:
            x = torch.relu(down(x))
            skips.append(x)
            x = F.max_pool2d(x, 2)
        for i in range(len(self.ups) - 1, -1, -1):
            x = x.repeat_interleave(2, dim=2).repeat_interleave(2, dim=3)
            x = self.ups[i](torch.cat([x, skips[i]], dim=1))
        return x
