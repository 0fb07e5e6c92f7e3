# works
# inputs: torch.randn(3, 4, 6)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(6))

    def forward(self, x):
        b, t, c = x.shape
        x = x * self.weight
        parts = [x[0], x[:, 1:], x[..., 0], x[:, None], x[:, -1, ::2], x[1:, :2, 3:5], x[..., None, :]]
        mask = x > 0
        y = x.clone()
        y[mask] = 0.5
        y[:, 0] = y[:, 0] * 2
        y[0, 1, 2] += 3
        index = torch.tensor([0, 2])
        parts.append(x[index])
        parts.append(x[:, index, 1])
        parts.append(y)
        sizes = [b, t, c]
        sizes[0] = 7
        parts.append(x.sum() * sizes[0] + sizes[-1])
        return parts
