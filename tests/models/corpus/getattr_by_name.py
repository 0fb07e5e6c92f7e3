# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        for i in range(3):
            setattr(self, f"layer{i}", nn.Linear(4, 4))
        self.bias = None

    def forward(self, x):
        for i in range(3):
            x = getattr(self, f"layer{i}")(x)
        if getattr(self, "missing", None) is not None:
            x = x + 1
        if hasattr(self, "layer1") and not hasattr(self, "layer9"):
            x = getattr(self, "layer1")(x)
        return x
