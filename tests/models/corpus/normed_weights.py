# works
# inputs: torch.randn(3, 4, 9)
# Weights that are computed from others: norms of torch.nn.utils, old and new, and a parametrization.
import torch
from torch import nn
from torch.nn.utils import spectral_norm, weight_norm
from torch.nn.utils import parametrizations, parametrize


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).transpose(-1, -2)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = weight_norm(nn.Conv1d(4, 4, 3, padding=1))
        self.second = weight_norm(nn.Conv1d(4, 4, 3, padding=1), dim=None)
        self.third = spectral_norm(nn.Conv1d(4, 4, 3, padding=1))
        self.fourth = parametrizations.weight_norm(nn.Linear(9, 9), name="weight")
        self.fifth = parametrizations.spectral_norm(nn.Linear(9, 9))
        self.sixth = nn.Linear(9, 9)
        parametrize.register_parametrization(self.sixth, "weight", Symmetric())

    def forward(self, x):
        x = self.third(torch.relu(self.second(torch.relu(self.first(x)))))
        return self.sixth(self.fifth(self.fourth(x)))
