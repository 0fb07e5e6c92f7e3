from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        layers = [nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)]
        self.layers = nn.Sequential(layers)

    def forward(self, x):
        return self.layers(x)
