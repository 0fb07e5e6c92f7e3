# works
# inputs: torch.randn(3, 4), 2
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, n: int):
        """What a docstring says is not run."""
        name = f"{n} of {n + 1}" + " ü\n"
        if name == "2 of 3 ü\n" and len(name) > 3:
            x = self.linear(x)
        assert x.size(0) == 3, f"got {x.size(0)} rows"
        return x
