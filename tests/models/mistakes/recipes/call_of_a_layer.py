from torch import nn


class Scaled(nn.Linear):
    def __call__(self, x):
        return super().__call__(x) * 100


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = Scaled(4, 3)

    def forward(self, x):
        return self.fc(x)
