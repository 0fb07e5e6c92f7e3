"""Small models whose outputs have the shapes that losses and metrics need. Read by Python and by knead."""

from typing import Tuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Trunk(nn.Module):
    def __init__(self, outputs: int):
        super().__init__()
        self.first = nn.Linear(10, 16)
        self.out = nn.Linear(16, outputs)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(torch.tanh(self.first(x)))


class Scores(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = Trunk(4)

    def forward(self, x: Tensor) -> Tensor:
        return self.trunk(x)


class LogShares(Scores):
    def forward(self, x: Tensor) -> Tensor:
        return F.log_softmax(self.trunk(x), -1)


class Places(nn.Module):
    """(B, 4 classes, 6 places)"""

    def __init__(self):
        super().__init__()
        self.trunk = Trunk(24)

    def forward(self, x: Tensor) -> Tensor:
        return self.trunk(x).view(-1, 4, 6)


class LastPlaces(Places):
    """(B, 6 places, 4 classes)"""

    def forward(self, x: Tensor) -> Tensor:
        return self.trunk(x).view(-1, 6, 4)


class Frames(nn.Module):
    """(B, 10 frames, 5 letters), logarithms of probabilities"""

    def __init__(self):
        super().__init__()
        self.trunk = Trunk(50)

    def forward(self, x: Tensor) -> Tensor:
        return F.log_softmax(self.trunk(x).view(-1, 10, 5), -1)


class Column(nn.Module):
    """(B, 1)"""

    def __init__(self):
        super().__init__()
        self.trunk = Trunk(1)

    def forward(self, x: Tensor) -> Tensor:
        return self.trunk(x)


class Value(Column):
    """(B)"""

    def forward(self, x: Tensor) -> Tensor:
        return self.trunk(x).squeeze(1)


class Rate(Column):
    """(B), above 0"""

    def forward(self, x: Tensor) -> Tensor:
        return F.softplus(self.trunk(x).squeeze(1))


class Values(nn.Module):
    """(B, 3)"""

    def __init__(self):
        super().__init__()
        self.trunk = Trunk(3)

    def forward(self, x: Tensor) -> Tensor:
        return self.trunk(x)


class Two(nn.Module):
    """Two vectors for each sample."""

    def __init__(self):
        super().__init__()
        self.first = Trunk(6)
        self.second = Trunk(6)

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        return self.first(x), self.second(x)


class TwoValues(nn.Module):
    """Two numbers for each sample."""

    def __init__(self):
        super().__init__()
        self.first = Trunk(1)
        self.second = Trunk(1)

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        return self.first(x).squeeze(1), self.second(x).squeeze(1)


class OwnLoss(nn.Module):
    """The mean of the batch's losses."""

    def __init__(self):
        super().__init__()
        self.trunk = Trunk(3)

    def forward(self, x: Tensor) -> Tensor:
        return (self.trunk(x) - x[:, :3]).square().mean()


class Wide(nn.Module):
    """(B, size, size), the outer product of two vectors"""

    def __init__(self, size: int):
        super().__init__()
        self.rows = nn.Linear(10, size)
        self.columns = nn.Linear(10, size)

    def forward(self, x: Tensor) -> Tensor:
        return self.rows(x).unsqueeze(2) * self.columns(x).unsqueeze(1)


class Same(nn.Module):
    """What it is given, times a parameter that is 1: a metric then sees numbers of the data."""

    def __init__(self):
        super().__init__()
        self.one = nn.Parameter(torch.ones(1))

    def forward(self, scores: Tensor) -> Tensor:
        return scores * self.one


class Typed(nn.Module):
    """Parameters of another type than float32; (B, 4) in float32."""

    def __init__(self, double: bool):
        super().__init__()
        dtype = torch.float64 if double else torch.bfloat16
        self.first = nn.Linear(10, 16, dtype=dtype)
        self.norm = nn.LayerNorm(16, dtype=dtype)
        self.out = nn.Linear(16, 4, dtype=dtype)

    def forward(self, x: Tensor) -> Tensor:
        x = x.to(self.first.weight.dtype)
        return self.out(self.norm(torch.tanh(self.first(x)))).float()
