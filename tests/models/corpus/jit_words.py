# works
# inputs: torch.randn(3, 4)
from typing import Final, List

import torch
from torch import nn


@torch.jit.script
def scaled(x, factor: float):
    return x * factor


class Model(nn.Module):
    __constants__ = ["width"]
    depth: torch.jit.Final[int]
    width: Final[int]

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.depth = 3
        self.width = 4

    @torch.jit.export
    def doubled(self, x):
        return x * 2

    @torch.jit.ignore
    def never(self, x):
        return [str(item) for item in x]

    @torch.jit.unused
    def nor_this(self, x):
        return x.tolist()

    def forward(self, x):
        parts = torch.jit.annotate(List[torch.Tensor], [])
        for i in range(self.depth):
            parts.append(scaled(self.linear(x), float(i)))
        if torch.jit.is_scripting() and self.width > 100:
            parts.append(x)
        if not torch.jit.is_tracing():
            x = self.doubled(x)
        return torch.cat(parts) * self.width, x
