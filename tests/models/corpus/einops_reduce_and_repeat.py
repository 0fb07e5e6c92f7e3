# works
# inputs: torch.randn(2, 3, 4, 6), torch.randint(5, (2, 6))
import torch
from einops import reduce, repeat
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.token = nn.Parameter(torch.randn(3))
        self.register_buffer("table", repeat(torch.arange(4.0), "n -> (n copies) d", copies=2, d=3))
        self.register_buffer("mean", reduce(self.table, "(n 2) d -> n", "mean"))

    def forward(self, x, numbers):
        x = x * repeat(self.token, "c -> b c 1 1", b=x.shape[0])
        pooled = reduce(x, "b c (h h2) (w w2) -> b c h w", "max", h2=2, w2=3)
        means = [reduce(x, "b c h w -> b c", "mean"), reduce(x, "b ... -> b", "sum"), reduce(x, "b c ... -> c () b", "min")]
        product = reduce(x, "b c h (w 2) -> h c w", "prod")
        flags = reduce(x > 0, "b c h w -> b h", "any"), reduce(x > -1, "... w -> w", "all")
        wider = repeat(x, "b c ... -> (r b) 2 c ...", r=3)
        blocks = repeat(x, "b c h w -> b c (h h2) (w w2)", h2=2, w2=2)
        return pooled, means, product, flags, wider, blocks, reduce(numbers, "b n -> ", "sum"), self.mean
