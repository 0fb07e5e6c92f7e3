from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.act = nn.ReLU(inplace=True)
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        h = self.fc(x).sigmoid()
        return self.head(self.act(h) + h.exp().mul_(h))
