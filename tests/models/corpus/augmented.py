# works
# inputs: torch.randn(3, 4), 7
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, n: int):
        y = self.linear(x)
        y = y * 2
        y += 1
        y *= x
        y -= 0.5
        y /= 2
        n //= 2
        n **= 2
        n %= 5
        z = y.detach()
        z **= 2
        z //= 3
        y @= y.t() @ y
        items = [1]
        items += [2]
        return y * n, z, x * items[1]
