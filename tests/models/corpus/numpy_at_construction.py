# works
# inputs: torch.randn(2, 5, 6)
import numpy as np
import torch
from numpy import pi
from torch import nn


def sinusoids(length, width):
    angle = np.arange(length)[:, None] / np.power(10000, 2 * (np.arange(width) // 2) / width)
    table = np.zeros((length, width), dtype=np.float32)
    table[:, 0::2] = np.sin(angle[:, 0::2])
    table[:, 1::2] = np.cos(angle[:, 1::2])
    return torch.from_numpy(table)


def grid(size):
    mesh = np.stack(np.meshgrid(np.arange(size), np.arange(size), indexing="ij")).reshape(2, -1)
    return torch.tensor(mesh[:, :, None] - mesh[:, None, :])


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(6, int(np.prod((2, 3))))
        self.scale = np.sqrt(6)
        self.heads = np.int64(3)
        self.shape = (np.int64(2), np.int64(3))
        self.register_buffer("table", sinusoids(5, 6))
        self.register_buffer("near", grid(2).sum(0), persistent=False)
        self.register_buffer("order", torch.from_numpy(np.random.RandomState(3).permutation(6)))
        self.register_buffer("back", torch.from_numpy(np.argsort(self.order.numpy())))
        self.mix = nn.Parameter(torch.from_numpy(np.tril(np.ones((6, 6)), -1)).float())

    def forward(self, x):
        B, T = x.size(0), x.size(1)
        x = self.linear(x) / self.scale + self.table[:T]
        x = x[:, :, self.order] @ self.mix * np.sqrt(2 * pi)
        if self.heads > 2:
            x = x[:, np.newaxis].squeeze(1).masked_fill(x < -np.log(100), -np.inf).clamp(min=-9)
        pad = int(np.ceil(T / 2) * 2 - T)
        x = nn.functional.pad(x, (0, 0, 0, pad)) / np.sqrt(T)
        return x[:, :, self.back].view(B, -1, *self.shape), np.prod(x.shape[1:]) + self.near.sum()
