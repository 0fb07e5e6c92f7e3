# works
# inputs: torch.randn(2, 3, 8, 4)
import einops
import torch
from einops import rearrange
from torch import nn


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        axes = "b h n d"
        self.split = f"b n (three h d) -> three {axes}"
        self.to_qkv = nn.Linear(width, 3 * width, bias=False)

    def forward(self, x):
        h = self.heads
        q, k, v = map(lambda t: rearrange(t, "b n (h d) -> b h n d", h=h), self.to_qkv(x).chunk(3, dim=-1))
        weights = (q @ k.transpose(-1, -2)).softmax(dim=-1)
        qkv = rearrange(self.to_qkv(x), self.split, three=3, h=h)
        return rearrange(weights @ v + qkv[2], "b h n d -> b n (h d)")


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch = 2
        self.width = self.patch * self.patch * 3
        self.attention = Attention(self.width, 3)
        grid = torch.arange(12.0)
        self.register_buffer("grid", rearrange(grid, "(h w) -> w h ()", h=3))
        self.register_buffer("rows", rearrange([grid, grid + 1], "row n -> n row"))

    def forward(self, x):
        p = self.patch
        tokens = rearrange(x, "b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=p, p2=p)
        tokens = self.attention(tokens)
        image = einops.rearrange(tokens, "b (h w) (p1 p2 c) -> b c (h p1) (w p2)", p1=p, p2=p, w=2)
        flat = rearrange(image, "... h w -> ... (w h)")
        merged = rearrange(image, "b ... w -> w b (...)")
        moved = rearrange(image, "b ... w -> b w 1 ...")
        listed = rearrange([image[0], image[1] * 2], "pair c h w -> c (pair h) w")
        return tokens, flat, merged, moved, listed, self.grid + self.rows.sum()
