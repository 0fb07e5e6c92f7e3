from dataclasses import dataclass, field
from typing import Literal, Optional

import torch.nn as nn

from blocks import Block, Config as BlockConfig


@dataclass
class Config:
    """What the net is made of."""

    width: int
    depth: int = 2
    rate: float = 0.1
    kind: Literal["relu", "gelu"] = "relu"
    shape: Optional[list[int]] = None
    names: list[str] = field(default_factory=list)
    block: BlockConfig = field(default_factory=BlockConfig)


class Net(nn.Module):
    def __init__(self, config: Config, outputs: int = 2, *, bias: bool = True, scale: float | None = None):
        super().__init__()
        self.blocks = nn.ModuleList(Block(config.width) for _ in range(config.depth))
        self.head = make_head(config.width, outputs)

    def forward(self, x):
        return self.head(x)


class Head(nn.Module):
    def __init__(self, width, outputs):
        super().__init__()
        self.line = nn.Linear(width, outputs)


def make_head(width, outputs):
    return Head(width, outputs)


class WideNet(Net):
    pass


class Open(nn.Module):
    def __init__(self, width: int, **options):
        super().__init__()

    def forward(self, x):
        return x


class Empty(nn.Module):
    def forward(self, x):
        return x
