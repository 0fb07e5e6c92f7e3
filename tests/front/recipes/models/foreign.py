import logging

import matplotlib.pyplot as plt
import pandas
import torch
from mamba_ssm import Mamba
from torch import nn
from xformers.ops import fast_path as fast

try:
    import apex
except ImportError:
    apex = None

logging.basicConfig()
plt.style.use("ggplot")


def plot(x):
    plt.plot(x)


class Called(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Mamba(4)

    def forward(self, x):
        return fast.forward(self.layer(x))


class Uncalled(nn.Module):
    def __init__(self, fancy=False):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        if fancy:
            self.layer = Mamba(4)

    def table(self):
        return pandas.DataFrame({})

    def forward(self, x):
        return apex.relu(x) if apex else torch.relu(self.layer(x))


class Own(nn.Module):
    def __init__(self):
        super().__init__()
        Mamba = nn.Linear
        self.layer = Mamba(2, 2)

    def forward(self, x):
        return self.layer(x)
