from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, padding=1)
        self.head = nn.Linear(32, 3)

    def forward(self, x):
        x = self.conv(x.view(-1, 1, 2, 2)).relu()
        return self.head(x)
