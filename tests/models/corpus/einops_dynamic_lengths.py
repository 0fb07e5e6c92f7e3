# works
# inputs: torch.randn(2, 12, 4), 3
import torch
from einops import rearrange, reduce, repeat
from torch import nn


class Split(nn.Module):
    def __init__(self, **sizes):
        super().__init__()
        self.sizes = sizes

    def forward(self, x):
        return rearrange(x, "b (h w) c -> h b w c", **self.sizes)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.sizes = {"h": 3, "w": 4}
        self.splits = nn.ModuleList([Split(h=3), Split(h=4), Split(w=6), Split(h=2, w=6)])

    def forward(self, x, n: int):
        x = self.linear(x)
        b, length, c = x.shape
        h = length // n
        split = rearrange(x, "b (h w) c -> b c h w", h=h)
        whole = rearrange(x, "b (h w) c -> b c h w", h=h, w=n, b=b)
        sizes = rearrange(x, "b (h w) c -> h b w c", **self.sizes)
        copies = repeat(x, "b n c -> (copies b) n c", copies=n + 1)
        new = repeat(x[0], "... c -> ... new c", new=x.size(0) * 2)
        pooled = reduce(x, "b (n k) c -> b n c", "mean", k=n)
        splits = [part(x) for part in self.splits]
        return split, whole, sizes, copies, new, pooled, splits
