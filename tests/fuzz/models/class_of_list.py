from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)
        self.__class__ = list
        self.append(1)

    def forward(self, x):
        return self.fc(x)
