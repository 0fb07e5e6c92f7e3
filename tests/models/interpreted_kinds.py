"""Kinds of models that are interpreted, and that keep something from one step to the next, for tests of resume and
averages. Each takes (B, 10) to (B).
"""

import torch
from torch import Tensor, nn


class Remembering(nn.Module):
    """Attributes that forward makes: a list that grows, a dict of tensors, numbers and texts."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(10, 6), nn.Linear(6, 6), nn.Linear(6, 6)])
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(6, 1)
        self.losses = []
        self.means = {}
        self.mode = "first"

    def forward(self, x: Tensor) -> Tensor:
        y = x
        for i in range(len(self.layers)):
            y = torch.tanh(self.layers[i](y))
            if self.training:
                last = self.means.get(str(i), torch.zeros(6))
                self.means[str(i)] = 0.5 * last + 0.5 * y.detach().mean(0)
            if str(i) in self.means:
                y = y - 0.1 * self.means[str(i)]
        if self.training:
            self.losses.append(float(y.detach().abs().mean()))
            self.mode = "even" if len(self.losses) % 2 == 0 else "odd"
        scale = {"first": 1.0, "even": 0.5, "odd": 2.0}[self.mode]
        return self.out(self.drop(y)).squeeze(1) * scale + sum(self.losses[-2:])


class Momentum(nn.Module):
    """A second set of weights that follows the trained ones, as in MoCo and BYOL, and a queue of what it gave."""

    def __init__(self):
        super().__init__()
        self.encoders = nn.ModuleDict({"query": nn.Linear(10, 6), "key": nn.Linear(10, 6)})
        for query, key in zip(self.encoders["query"].parameters(), self.encoders["key"].parameters()):
            key.data.copy_(query.data)
            key.requires_grad = False
        self.register_buffer("queue", torch.zeros(8, 6))
        self.place = 0
        self.out = nn.Linear(6, 1)

    @torch.no_grad()
    def follow(self):
        for query, key in zip(self.encoders["query"].parameters(), self.encoders["key"].parameters()):
            key.data = key.data * 0.9 + query.data * 0.1

    def encode(self, which, x):
        return torch.tanh(self.encoders[which](x))

    def forward(self, x: Tensor) -> Tensor:
        self.follow()
        query, key = self.encode("query", x), self.encode("key", x)
        if self.training:
            self.queue[self.place] = key.detach().mean(0)
            self.place = (self.place + 1) % len(self.queue)
        return self.out(query * key + 0.1 * self.queue.mean(0)).squeeze(1)


class Recurrent(nn.Module):
    """An LSTM whose weights are views of one another's memory, a tied head, and the last state of a step."""

    def __init__(self):
        super().__init__()
        self.cells = {"rnn": 0}
        self.rnn = nn.LSTM(2, 10, batch_first=True)
        self.first = nn.Linear(10, 10)
        self.head = nn.Linear(10, 10, bias=False)
        self.head.weight = self.first.weight
        self.state = None

    def forward(self, x: Tensor) -> Tensor:
        rows = x.reshape(-1, 5, 2)
        for name in self.cells:
            y, (h, c) = getattr(self, name)(rows)
            self.cells[name] += 1
        y = self.head(torch.tanh(self.first(y[:, -1])))
        if self.state is not None:
            y = y + 0.1 * torch.stack([each.mean((0, 1)) for each in self.state]).sum(0)
        if self.training:
            self.state = (h.detach(), c.detach())
        return y.mean(1)


class Placed(nn.Module):
    """Where its input is and what it holds, which the next step reads: a device, a dtype, a list of devices."""

    def __init__(self):
        super().__init__()
        self.out = nn.Linear(10, 1)
        self.device = "cuda"
        self.kind = None
        self.seen = []

    def forward(self, x: Tensor) -> Tensor:
        share = 0.5 if self.kind == torch.float32 and len(self.seen) % 2 == 1 else 1.0
        if self.device != "cuda":
            share = share * torch.ones(1, device=self.device, dtype=self.kind)
        if self.training:
            self.device, self.kind = x.device, x.dtype
            self.seen.append(x.device)
        return self.out(x.to(self.device)).squeeze(1) * share
