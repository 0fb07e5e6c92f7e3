from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        x = x.view(-1, 2, 2).transpose(1, 2)
        return self.fc(x.view(-1, 4))
