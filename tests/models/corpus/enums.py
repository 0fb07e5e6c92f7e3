# works
# inputs: torch.randn(3, 4)
from enum import Enum, auto

import torch
import torch.nn.functional as F
from torch import nn


class Pooling(Enum):
    MEAN = "mean"
    MAX = "max"


class Mode(Enum):
    PLAIN = auto()
    SCALED = auto()


class Model(nn.Module):
    def __init__(self, pooling: str = "max", mode: Mode = Mode.SCALED):
        super().__init__()
        self.pooling = Pooling(pooling)
        self.mode = mode
        self.linear = nn.Linear(4, 4)
        self.scale = mode.value * 2.0 if mode is Mode.SCALED else 1.0
        self.names = [self.pooling.name, self.pooling.value]

    def forward(self, x):
        x = self.linear(x)
        if self.mode == Mode.SCALED:
            x = x * self.scale
        if self.pooling is Pooling.MEAN:
            return x.mean(1)
        elif self.pooling in (Pooling.MAX,):
            return x.amax(1)
        raise ValueError(self.pooling)
