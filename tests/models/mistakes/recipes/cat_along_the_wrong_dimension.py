import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.wide = nn.Linear(4, 8)
        self.head = nn.Linear(12, 3)

    def forward(self, x):
        return self.head(torch.cat([x, self.wide(x)]))
