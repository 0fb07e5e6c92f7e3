# works
# inputs: torch.randn(3, 4)
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Config:
    width: int = 4
    dropout: float = 0.0
    act: str = "relu"
    sizes: list = field(default_factory=lambda: [1, 2])


class Model(nn.Module):
    def __init__(self, config: Config = Config()):
        super().__init__()
        self.config = config
        self.linear = nn.Linear(config.width, config.width)

    def forward(self, x):
        x = self.linear(x) * self.config.width
        if self.config.act == "relu":
            x = torch.relu(x)
        elif self.config.act == "none":
            x = self.missing(x)
        return x + self.config.dropout
