from typing import Optional

import torch
from torch import Tensor, nn


class Counting(nn.Module):
    """What methods keep besides parameters and buffers: a number, a list, a tensor that comes later."""

    def __init__(self, inputs: int, hidden: int):
        super().__init__()
        self.hidden = nn.Linear(inputs, hidden)
        self.norm = nn.BatchNorm1d(hidden)
        self.dropout = nn.Dropout(0.2)
        self.out = nn.Linear(hidden, 1)
        self.calls = 0
        self.sizes: list[int] = []
        self.last: Optional[Tensor] = None

    def forward(self, x):
        x = self.dropout(torch.relu(self.norm(self.hidden(x))))
        if self.training:
            self.calls += 1
            self.sizes.append(x.shape[0])
            last = self.last
            if last is not None:
                x = x + 0.1 * last
            self.last = x.detach().mean(0)
            x = x * (1 + 0.01 * self.calls + 0.001 * sum(self.sizes[-3:]))
        return self.out(x).squeeze(1)
