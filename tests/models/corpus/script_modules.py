# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


@torch.jit.script_if_tracing
def halved(x):
    return x / 2


class Block(torch.jit.ScriptModule):
    def __init__(self, width: int):
        super().__init__()
        self.linear = nn.Linear(width, width)

    @torch.jit.script_method
    def forward(self, x):
        return torch.relu(self.linear(x)) + x


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Block(4), Block(4))

    def forward(self, x):
        return halved(self.blocks(x))
