# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


def residual(x, norm, layer, dropout=None):
    y = layer(norm(x))
    if dropout is not None:
        y = dropout(y)
    return x + y


def through(x, layers):
    for layer in layers:
        x = layer(x)
    return x


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.second = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.norms = nn.ModuleList([nn.LayerNorm(4), nn.LayerNorm(4)])
        self.dropout = nn.Dropout(0.5)

    @staticmethod
    def both(x, left, right):
        return left[0](x) - right[0](x) * 2

    def apply_to(self, x, layer: nn.Module):
        return layer(x) * layer[0].in_features

    def forward(self, x):
        x = residual(x, self.norms[0], self.first)
        x = residual(x, self.norms[1], layer=self.second, dropout=self.dropout)
        x = through(x, self.norms)
        return x, self.both(x, self.first, self.second), self.apply_to(x, self.second)
