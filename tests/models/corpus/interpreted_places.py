# interpreted: 14:24: 'Tensor' object has no attribute or method 'numpy'
# inputs: torch.randn(3, 4)
import numpy as np
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        total = np.sum(x.detach().numpy())
        y = self.linear(x)
        mask = torch.zeros_like(y)
        mask[(x > 0).nonzero(as_tuple=True)] = 1.0
        mask[torch.where(x < 0)] = 2.0
        rows, columns = torch.nonzero(x > 0, as_tuple=True)
        mask[rows, columns] += torch.where(x > 0, 1.0, 0.5)[rows, columns]
        assert isinstance(torch.where(x > 0), tuple)
        parts = torch.cat([torch.tensor([], device=x.device), y])
        spectrum = torch.fft.rfft(y)
        assert x.itemsize == 4 and x.nbytes == 4 * x.numel() and not x.is_sparse
        y = y.where(x > 0, y * 0.5) + (x * x + 1).polygamma(1)
        return y * mask * float(total), parts, spectrum.real - spectrum.imag, torch.nonzero(x > 0)
