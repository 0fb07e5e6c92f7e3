# works
# inputs: torch.randn(2, 3, 4, 4)
import torch
from einops.layers.torch import EinMix, Rearrange, Reduce
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Sequential(
            Rearrange("b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=2, p2=2),
            nn.LayerNorm(12),
            nn.Linear(12, 8),
        )
        self.heads = EinMix("b n (g c) -> b n (g d)", "g c d", "g d", g=2, c=4, d=3)
        self.tokens = EinMix("... n c -> ... m c", weight_shape="n m", n=4, m=5)
        self.scale = EinMix("b n c -> b n c", weight_shape="c", bias_shape="c", c=6)
        self.embed = EinMix("b c (h p1) (w p2) -> b (h w) e", "c p1 p2 e", "e", c=3, p1=2, p2=2, e=4)
        self.grids = nn.ModuleList(
            [Rearrange("b (h w) c -> b h w c", h=5), Rearrange("b (h w) c -> b h w c", h=1)]
            + [Rearrange("b (h w) c -> b h w c", w=1)]
        )
        self.pool = nn.Sequential(Reduce("b n c -> b c", "mean"), nn.ReLU(), Rearrange("b c -> b c 1"))
        self.name = f"{self.heads!r} {self.patches[0]!r} {self.pool[0]!r}"

    def forward(self, x):
        tokens = self.scale(self.tokens(self.heads(self.patches(x))))
        grids = [grid(tokens).mean(dim=1) for grid in self.grids]
        return tokens, self.pool(tokens), self.embed(x), grids, self.name
