import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        y = torch.zeros(3)
        y.put_(torch.tensor([0, 0]), torch.ones(2))
        return self.fc(x) + y
