from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.norm = lambda x: x / x.norm()
        self.act = {"swish": lambda x: x * x.sigmoid()}

    def forward(self, x):
        return self.act["swish"](self.norm(self.fc(x)))
