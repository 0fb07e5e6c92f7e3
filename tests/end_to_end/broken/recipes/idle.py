from torch import nn


class Idle(nn.Module):
    """Makes use of one of its layers only."""

    def __init__(self, unused: int = 1):
        super().__init__()
        self.line = nn.Linear(2, 1)
        self.others = nn.ModuleList([nn.Linear(2, 1) for _ in range(unused)])
        self.scale = nn.Parameter(self.line.weight.new_ones(1))

    def forward(self, x):
        return self.line(x).squeeze(1)
