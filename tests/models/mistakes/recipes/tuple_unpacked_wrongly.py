from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 3)

    def forward(self, x):
        output, hidden, cell = self.lstm(x)
        return output
