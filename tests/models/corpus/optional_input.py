# works
# inputs: torch.randn(3, 4), torch.ones(3, 4)
import torch
from torch import nn


class Model(nn.Module):
    """A default of None says that a tensor may be given."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, mask=None, scale=2.0):
        x = self.linear(x) * scale
        if mask is not None:
            x = x.masked_fill(mask > 0.5, 0.25) + x
        return x
