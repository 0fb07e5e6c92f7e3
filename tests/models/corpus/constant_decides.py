# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Model(nn.Module):
    """What configuration leaves out is not compiled, as Python does not run it."""

    def __init__(self, bias: bool = False, kind: str = "plain", depth: int = 1):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.extra = nn.Linear(4, 4) if bias else None
        self.kind = kind
        self.depth = depth

    def forward(self, x):
        x = self.linear(x)
        if self.extra is not None:
            x = self.extra(x)
        if self.kind == "other":
            return self.not_there(x)
        if self.depth > 1 and len(self.kind) > 2:
            x = self.missing(x, 1, 2)
        x = x if self.depth == 1 else self.missing(x)
        return self.linear(x) if self.extra is None else self.extra(x)
