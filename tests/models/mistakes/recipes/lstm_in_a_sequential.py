from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.LSTM(4, 8), nn.Linear(8, 3))

    def forward(self, x):
        return self.layers(x)
