from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 8)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        x = self.lstm(x)
        return self.head(x)
