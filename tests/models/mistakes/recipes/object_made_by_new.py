from torch import nn


class Shared:
    def __new__(cls):
        return super().__new__(cls)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = Shared()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(x)
