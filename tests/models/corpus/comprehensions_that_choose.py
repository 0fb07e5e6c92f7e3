# works
# inputs: torch.randn(3, 4), 5, [torch.ones(4), torch.zeros(4)]
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4))

    def forward(self, x, n: int, items: list[torch.Tensor]):
        x = x * self.weight
        scaled = [x * i for i in range(n) if i > 1 if i != 3]
        chosen = [item + i for i, item in enumerate(items) if item.sum() > 0 or i > 5]
        pairs = [x[i] * j for i in range(x.size(0)) for j in range(n) if i < j]
        sizes = {i: i * 2 for i in range(n) if i % 2 == 0}
        return scaled, chosen, torch.stack(pairs), sizes[4], sum([item * k for item in items for k in range(2)])
