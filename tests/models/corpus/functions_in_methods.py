# works
# inputs: torch.randn(3, 4)
# A lambda or a def in a method is compiled with what it reads of the method.
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, heads=2):
        super().__init__()
        self.heads = heads
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        b, d, h, device = *x.shape, self.heads, x.device
        scale = 0.5
        group = lambda t: t.view(b, self.heads, d // h) * scale

        def shifted(z, plus=1):
            y = z + plus
            return self.linear(y) * h

        parts = list(map(lambda t: t + b, x.chunk(2, dim=-1)))
        q, k = map(lambda t: torch.tanh(t) * h, (x, x + 1))
        return group(shifted(q, plus=2)).flatten(1) + shifted(k) + torch.cat(parts, -1).to(device)
