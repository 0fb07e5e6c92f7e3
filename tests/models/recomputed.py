from typing import Dict, List, Optional, Tuple

import torch
from torch import Tensor, nn


class Block(nn.Module):
    """All that makes a second run another one: statistics, dropout, a counter, a cache, a list it adds to."""

    def __init__(self, width: int):
        super().__init__()
        self.wide = nn.Linear(width, 4 * width)
        self.norm = nn.BatchNorm1d(4 * width)
        self.dropout = nn.Dropout(0.2)
        self.narrow = nn.Linear(4 * width, width)
        self.register_buffer("turn", torch.eye(width))
        self.calls = 0
        self.last: Optional[Tensor] = None

    def forward(self, x, seen: List[Tensor]) -> Tuple[Tensor, Dict[str, Tensor]]:
        y = self.dropout(torch.relu(self.norm(self.wide(x))))
        last = self.last
        if last is not None and self.training:
            y = y + 0.1 * last
        if self.training:
            self.calls += 1
            self.last = y.detach().mean(0)
        y = self.narrow(y) * (1 + 0.01 * self.calls)
        seen.append(y)
        return x @ self.turn + y, {"sum": torch.stack(seen).sum(0)}


class Recomputed(nn.Module):
    def __init__(self, inputs: int, width: int, layers: int):
        super().__init__()
        self.first = nn.Linear(inputs, width)
        self.blocks = nn.ModuleList([Block(width) for _ in range(layers)])
        self.blocks[1].wide.weight = self.blocks[0].wide.weight
        self.again = Block(width)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        x = torch.tanh(self.first(x))
        seen: List[Tensor] = []
        for block in self.blocks:
            x, sums = block(x, seen)
            x = x + 0.1 * torch.tanh(sums["sum"])
        for _ in range(2):
            x, sums = self.again(x, seen)
        return self.out(x + sums["sum"]).squeeze(1)


class InPlace(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return self.linear(x.relu_())


class ChangesItsInput(nn.Module):
    def __init__(self, inputs: int, width: int):
        super().__init__()
        self.first = nn.Linear(inputs, width)
        self.block = InPlace(width)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(self.block(self.first(x))).squeeze(1)


class ChangedAfterwards(nn.Module):
    def __init__(self, inputs: int, width: int):
        super().__init__()
        self.first = nn.Linear(inputs, width)
        self.block = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        x = self.first(x)
        y = self.block(x)
        x.mul_(2)
        return self.out(y + x).squeeze(1)
