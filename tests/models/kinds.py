"""Kinds of models whose tensors or state live in more than one place, for tests of resume, averages and export. Each
takes (B, 10) to (B), and is as PyTorch itself can script it.
"""

from typing import List, Optional

import torch
from torch import Tensor, nn


class LSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(2, 6, num_layers=2, batch_first=True, dropout=0.1, bidirectional=True)
        self.out = nn.Linear(12, 1)

    def forward(self, x: Tensor) -> Tensor:
        y, _ = self.rnn(x.reshape(-1, 5, 2))
        return self.out(y[:, -1]).squeeze(1)


class ProjectedLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(2, 6, batch_first=True, proj_size=4)
        self.out = nn.Linear(4, 1)

    def forward(self, x: Tensor) -> Tensor:
        y, _ = self.rnn(x.reshape(-1, 5, 2))
        return self.out(y[:, -1]).squeeze(1)


class GRU(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(2, 6, batch_first=True)
        self.out = nn.Linear(6, 1)

    def forward(self, x: Tensor) -> Tensor:
        y, _ = self.rnn(x.reshape(-1, 5, 2))
        return self.out(y[:, -1]).squeeze(1)


class RNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(2, 6, batch_first=True, nonlinearity="relu")
        self.out = nn.Linear(6, 1)

    def forward(self, x: Tensor) -> Tensor:
        y, _ = self.rnn(x.reshape(-1, 5, 2))
        return self.out(y[:, -1]).squeeze(1)


class Cells(nn.Module):
    """Cells, which take their weights one by one."""

    def __init__(self):
        super().__init__()
        self.first = nn.LSTMCell(2, 6)
        self.second = nn.GRUCell(6, 6)
        self.out = nn.Linear(6, 1)

    def forward(self, x: Tensor) -> Tensor:
        x = x.reshape(-1, 5, 2)
        h = torch.zeros(x.size(0), 6)
        c = torch.zeros(x.size(0), 6)
        y = torch.zeros(x.size(0), 6)
        for t in range(5):
            h, c = self.first(x[:, t], (h, c))
            y = self.second(h, y)
        return self.out(y).squeeze(1)


class Convolution(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 4, 3, padding=1)
        self.norm = nn.BatchNorm1d(4)
        self.up = nn.ConvTranspose1d(4, 4, 2, stride=2)
        self.out = nn.Linear(4, 1)

    def forward(self, x: Tensor) -> Tensor:
        y = self.up(torch.relu(self.norm(self.conv(x.unsqueeze(1)))))
        return self.out(y.mean(2)).squeeze(1)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.wide = nn.Linear(2, 8)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True, add_bias_kv=True, dropout=0.1)
        self.norm = nn.LayerNorm(8)
        self.out = nn.Linear(8, 1)

    def forward(self, x: Tensor) -> Tensor:
        y = self.wide(x.reshape(-1, 5, 2))
        y = self.norm(y + self.attention(y, y, y, need_weights=False)[0])
        return self.out(y.mean(1)).squeeze(1)


class Tied(nn.Module):
    """A head that is tied to the first layer, as in a language model."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(10, 10)
        self.norm = nn.BatchNorm1d(10)
        self.head = nn.Linear(10, 10, bias=False)
        self.head.weight = self.first.weight

    def forward(self, x: Tensor) -> Tensor:
        return self.head(torch.tanh(self.norm(self.first(x)))).mean(1)


class OwnLists(nn.Module):
    """Lists that hold a buffer, a view of it, a parameter, and a tensor of their own."""

    last: Optional[Tensor]

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(10, 6)
        self.out = nn.Linear(6, 1)
        self.scale = nn.Parameter(torch.ones(6))
        self.register_buffer("seen", torch.zeros(4, 6))
        self.buffers_of_mine: List[Tensor] = [self.seen, self.seen[1:3]]
        self.weights_of_mine: List[Tensor] = [self.scale]
        self.others: List[Tensor] = [torch.zeros(6)]
        self.same = self.others
        self.last = None
        self.calls = 0

    def forward(self, x: Tensor) -> Tensor:
        y = torch.tanh(self.first(x)) * self.weights_of_mine[0]
        if self.training:
            self.calls += 1
            with torch.no_grad():
                self.buffers_of_mine[0][self.calls % 4] = y.mean(0)
                self.others[0].add_(y.detach().std(0))
                if self.calls == 5:
                    self.others[0] = torch.ones(6)
        y = y + 0.1 * self.seen.mean(0) + 0.1 * self.buffers_of_mine[1].sum(0)
        y = y + 0.01 * self.same[0]
        last = self.last
        if last is not None and self.training:
            y = y + 0.1 * last
        if self.training:
            self.last = y.detach().mean(0)
        return self.out(y).squeeze(1)
