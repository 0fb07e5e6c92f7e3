# works
# inputs: torch.randn(3, 4)
from torch import nn


class Block(nn.Module):
    def __init__(self, double: bool):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        if double:
            self.forward = self.forward_double

    def forward_double(self, x):
        return self.linear(x) * 2

    def forward(self, x):
        return self.linear(x)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(False), Block(True), Block(True)])
        assert all(isinstance(block, Block) for block in self.blocks)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
