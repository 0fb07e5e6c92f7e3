from torch import nn


class Net(nn.Module):
    def __init__(self, heads: int = 0):
        super().__init__()
        self.width = 12 // heads
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(x)
