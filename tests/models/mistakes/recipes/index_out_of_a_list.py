from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        widths = [4, 8, 3]
        self.layers = nn.ModuleList()
        for i in range(len(widths)):
            self.layers.append(nn.Linear(widths[i], widths[i + 1]))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
