from torch import nn


class Block(nn.Module):
    def __init__(self, width, *, heads):
        super().__init__()
        self.fc = nn.Linear(width, width)
        self.heads = heads

    def forward(self, x):
        return self.fc(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        sizes = [4]
        self.block = Block(*sizes, haeds=2)

    def forward(self, x):
        return self.block(x)
