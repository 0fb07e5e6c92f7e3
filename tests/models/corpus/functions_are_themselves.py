# works
# inputs: torch.randn(3, 4)
from enum import Enum

import torch
from torch import nn


class Activation(str, Enum):
    RELU = "relu"
    TANH = "tanh"


class Gain(nn.Module):
    def __init__(self, activation=torch.relu, kind="relu"):
        super().__init__()
        self.gain = 2.0 if activation == torch.relu else 1.0
        self.gain += {torch.tanh: 10.0, torch.relu: 20.0}[activation]
        self.gain += 100.0 if activation is torch.tanh else 200.0
        self.gain += 1000.0 if kind == Activation.RELU else 2000.0
        self.gain += 10000.0 if kind in (Activation.TANH, Activation.RELU) else 0.0
        self.gain += {"relu": 1e5, "tanh": 2e5}[Activation(kind)]
        self.gain += 0.5 if Activation.RELU != "tanh" and Activation.TANH.value == "tanh" else 0.25

    def forward(self, x):
        return x * self.gain


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.first, self.second = Gain(), Gain(torch.tanh, "tanh")
        self.places = ["relu".index("l"), "relu".index("u", 1)]

    def forward(self, x):
        x = self.linear(x)
        return self.first(x) + self.second(x) + self.places[0]
