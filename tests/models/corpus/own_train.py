# works
# inputs: torch.randn(5, 4)
import torch
from torch import nn


class Frozen(nn.BatchNorm1d):
    def train(self, mode: bool = True):
        return super().train(False)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.norm(x))


class Model(nn.Module):
    """Its first stage stays as it is, in evaluation and without gradients."""

    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(4, 4), Block())
        self.second = Frozen(4)
        self.third = Block()
        self.head = nn.Linear(4, 2)

    def train(self, mode: bool = True):
        super().train(mode)
        self.first.eval()
        for parameter in self.first.parameters():
            parameter.requires_grad = False
        return self

    def forward(self, x):
        return self.head(self.third(self.second(self.first(x))))
