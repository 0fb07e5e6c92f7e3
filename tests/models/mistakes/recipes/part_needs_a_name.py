from torch import nn


class Block(nn.Module):
    def __init__(self, width, /, *, heads):
        super().__init__()
        self.fc = nn.Linear(width, width)
        self.heads = heads

    def forward(self, x):
        return self.fc(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block(4)

    def forward(self, x):
        return self.block(x)
