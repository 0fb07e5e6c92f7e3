# works
# inputs: torch.randn(2, 3, 8)
# The windows of Swin: slices in a tuple, one after the other.
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, window=4, shift=2):
        super().__init__()
        self.window = window
        self.shift = shift
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        mask = torch.zeros(1, 8)
        slices = (slice(0, -self.window), slice(-self.window, -self.shift), slice(-self.shift, None))
        count = 0
        for part in slices:
            mask[:, part] = count
            count += 1
        first = slice(2)
        return self.linear(x) * mask + x[:, first].sum()
