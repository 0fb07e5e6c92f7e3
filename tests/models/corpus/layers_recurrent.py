# works
# inputs: torch.randn(5, 2, 4)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 5)
        self.deep = nn.LSTM(4, 3, num_layers=2, batch_first=True, bidirectional=True, dropout=0.2)
        self.gru = nn.GRU(4, 5, 2, bidirectional=True)
        self.rnn = nn.RNN(4, 5, nonlinearity="relu")

    def forward(self, x):
        a, (h, c) = self.lstm(x)
        b, (i, d) = self.deep(x)
        e, j = self.gru(x)
        f, _ = self.rnn(x)
        g, state = self.lstm(x, (h, c))
        return a, h, c, b, i, d, e, j, f, g
