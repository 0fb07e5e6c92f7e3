from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        i = int(x.sum()) % 2
        return self.head(self.layers[i](x))
