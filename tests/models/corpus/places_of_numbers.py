# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def nonzero(self, x, as_tuple: bool = False):
        return x.where(x > 0, x * 0.5) if as_tuple else x

    def forward(self, x):
        y = self.linear(x)
        places = (x > 0).nonzero(as_tuple=True)
        rows, columns = torch.nonzero(x > 0, as_tuple=True)
        mask = torch.zeros_like(y)
        mask[rows, columns] = 1.0
        mask[places[0], places[1]] += 1.0
        pairs = torch.nonzero(x > 0, as_tuple=False)
        parts = torch.tensor([], device=x.device)
        for part in y.split(1):
            parts = torch.cat((parts, part))
        spectrum = torch.fft.rfft(y)
        return y * mask, pairs, parts, spectrum.real - spectrum.imag, self.nonzero(y, as_tuple=True)
