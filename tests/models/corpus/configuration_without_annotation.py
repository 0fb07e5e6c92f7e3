# works
# inputs: torch.randn(3, 4)
# What nanoGPT and many after it do: a dict of settings of several types, read by name where it is used.
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.linear = nn.Linear(config["width"], config["width"])

    def forward(self, x):
        if self.config["act"] == "relu":
            x = torch.relu(x)
        return self.linear(x) * self.config["scale"]


class Model(nn.Module):
    def __init__(self, config=None):
        super().__init__()
        self.config = config or {"width": 4, "act": "relu", "scale": 0.5, "inner": {"on": True, "by": 2}}
        for i in range(2):
            self.__setattr__("block_%d" % i, Block(self.config))

    def forward(self, x):
        x = self.block_1(self.block_0(x))
        return x * self.config["inner"]["by"] if self.config["inner"]["on"] else x
