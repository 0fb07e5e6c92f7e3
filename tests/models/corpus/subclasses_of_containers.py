# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Blocks(nn.Sequential):
    def __init__(self, *widths, last=nn.Tanh):
        layers = [nn.Linear(before, after) for before, after in zip(widths, widths[1:])]
        super().__init__(*layers, last())
        self.depth = len(layers)


class Named(nn.ModuleDict):
    def forward(self, x):
        for name, layer in self.items():
            x = layer(x) if name != "skipped" else x
        return x


class Residual(nn.Sequential):
    def forward(self, x):
        return x + super().forward(x)


class Many(nn.ModuleList):
    def forward(self, x):
        return torch.stack([layer(x) for layer in self]).sum(0) / len(self)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = Blocks(4, 6, 4)
        self.named = Named({"first": nn.Linear(4, 4), "skipped": nn.ReLU(), "last": nn.Linear(4, 4)})
        self.residual = Residual(nn.Linear(4, 4), nn.ReLU())
        self.many = Many([nn.Linear(4, 4), nn.Identity()])

    def forward(self, x):
        return self.many(self.residual(self.named(self.blocks(x)))) * self.blocks.depth
