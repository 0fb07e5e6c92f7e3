# works
# inputs: torch.randn(3, 4)
import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    """A whole number in one case and a float in the other, as nanoGPT writes its dropout."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.dropout = 0.5

    def forward(self, x):
        x = F.dropout(self.linear(x), p=self.dropout if self.training else 0)
        n = x.detach().long() * (1.5 if self.training else 2)
        noise = torch.empty_like(x).uniform_(0, 1) + torch.zeros(2).normal_(0, 2).sum().detach()
        y = F.layer_norm(x, (4,), eps=1) + F.elu(x, 1)
        return x, n, y + noise, x * (0.5 if self.training else 1)
