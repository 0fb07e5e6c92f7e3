"""A small GPT whose forward takes a cache: it keeps keys and values of the tokens that it has seen."""

from typing import List, Optional

import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x, place: int, cache: Optional[List[torch.Tensor]] = None):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        if cache is not None:
            if place < len(cache):
                k = torch.cat([cache[place], k], dim=2)
                v = torch.cat([cache[place + 1], v], dim=2)
                cache[place] = k
                cache[place + 1] = v
            else:
                cache.append(k)
                cache.append(v)
        # One token looks at all that came before; several begin a text and look at themselves.
        y = F.scaled_dot_product_attention(q, k, v, is_causal=T > 1)
        return self.out(y.transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.wide = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x, place: int, cache: Optional[List[torch.Tensor]] = None):
        x = x + self.attention(self.norm(x), place, cache)
        return x + self.wide(x)


class Cached(nn.Module):
    def __init__(self, vocab: int, context: int, layers: int = 2, heads: int = 2, width: int = 32):
        super().__init__()
        self.token = nn.Embedding(vocab, width)
        self.position = nn.Embedding(context, width)
        self.blocks = nn.ModuleList([Block(width, heads) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocab, bias=False)

    def forward(self, tokens, cache: Optional[List[torch.Tensor]] = None):
        seen = 0
        if cache is not None:
            if len(cache) > 0:
                seen = cache[0].size(2)
        x = self.token(tokens) + self.position(torch.arange(seen, seen + tokens.size(1), device=tokens.device))
        for i, block in enumerate(self.blocks):
            x = block(x, 2 * i, cache)
        return self.head(self.norm(x))


class Uncached(Cached):
    """The same model without the parameter."""

    def forward(self, tokens):
        x = self.token(tokens) + self.position(torch.arange(tokens.size(1), device=tokens.device))
        for i, block in enumerate(self.blocks):
            x = block(x, 2 * i)
        return self.head(self.norm(x))
