# works
# inputs: torch.randn(3, 4)
import torch
import torch.nn.functional as F
from torch import nn

ACTIVATIONS = {"relu": nn.ReLU, "gelu": nn.GELU}


class Model(nn.Module):
    def __init__(self, name: str = "gelu"):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.activation = ACTIVATIONS[name]()

    def forward(self, x):
        return self.activation(self.linear(x))
