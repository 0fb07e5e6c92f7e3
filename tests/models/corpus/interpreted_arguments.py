# interpreted: 39:28: a method cannot pass a dict of arguments with '**'
# inputs: torch.randn(2, 5, 8)
# Arguments that are passed on, functions in variables, lists of unknown size.
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width, bias=False)

    def forward(self, x, mask=None, scale=1.0):
        q, k, v = map(lambda part: part.view(2, 5, 2, -1).transpose(1, 2), self.qkv(x).chunk(3, -1))
        weights = q @ k.transpose(-1, -2) * scale
        if mask is not None:
            weights = weights.masked_fill(~mask, -1e9)
        return (weights.softmax(-1) @ v).transpose(1, 2).flatten(2)


class PreNorm(nn.Module):
    def __init__(self, width, function):
        super().__init__()
        self.norm, self.function = nn.LayerNorm(width), function

    def forward(self, x, **kwargs):
        return self.function(self.norm(x), **kwargs)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([PreNorm(8, Attention(8)) for _ in range(2)])
        self.heads = nn.ModuleList([nn.Linear(8, n) for n in (2, 3)])

    def forward(self, x):
        options = dict(mask=torch.ones(5, 5, dtype=torch.bool).tril())
        for block in self.blocks:
            x = block(x, **options, scale=0.5) + x
        first, *rest = torch.split(x, [2, 2, 1], dim=1)
        parts = [head(part) for head, part in zip(self.heads, [first, *rest])]
        return parts, sum(part.mean() for part in rest)
