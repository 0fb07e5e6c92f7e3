"""A GPT: a transformer that predicts the next token from those before it.

In a recipe: model: {source: models/gpt.py, args: {config: {vocab: 65, context: 64, width: 128}}}
"""

import math
from dataclasses import dataclass
from typing import List, Optional

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class GPTConfig:
    vocab: int = 50257  # tokens there are
    context: int = 1024  # tokens it sees
    layers: int = 12
    heads: int = 12
    width: int = 768
    dropout: float = 0.0
    bias: bool = True  # in linear layers and norms


class Attention(nn.Module):
    """Each position looks at itself and what came before: (B, T, width) to (B, T, width).

    A cache holds the keys and values, (B, heads, T, width / heads), of the positions before x: those of this layer are
    cache[place] and cache[place + 1].
    """

    def __init__(self, config: GPTConfig):
        super().__init__()
        assert config.width % config.heads == 0, "width must be divisible by heads"
        self.heads = config.heads
        self.dropout = config.dropout
        self.qkv = nn.Linear(config.width, 3 * config.width, bias=config.bias)
        self.out = nn.Linear(config.width, config.width, bias=config.bias)

    def forward(self, x, place: int = 0, cache: Optional[List[torch.Tensor]] = None):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        causal = True
        if cache is not None:
            if place < len(cache):  # x is one position behind those that the cache has seen, and may look at all
                k, v = torch.cat([cache[place], k], dim=2), torch.cat([cache[place + 1], v], dim=2)
                cache[place], cache[place + 1] = k, v
                causal = False
            else:
                cache.append(k)
                cache.append(v)
        dropout = self.dropout if self.training else 0.0
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=dropout, is_causal=causal)
        return self.out(y.transpose(1, 2).reshape(B, T, C))


class FeedForward(nn.Module):
    """Each position by itself: (B, T, width) to (B, T, width)."""

    def __init__(self, config: GPTConfig):
        super().__init__()
        self.wide = nn.Linear(config.width, 4 * config.width, bias=config.bias)
        self.out = nn.Linear(4 * config.width, config.width, bias=config.bias)

    def forward(self, x):
        return self.out(F.gelu(self.wide(x)))


class Block(nn.Module):
    def __init__(self, config: GPTConfig):
        super().__init__()
        self.attention_norm = nn.LayerNorm(config.width, bias=config.bias)
        self.attention = Attention(config)
        self.feed_forward_norm = nn.LayerNorm(config.width, bias=config.bias)
        self.feed_forward = FeedForward(config)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x, place: int = 0, cache: Optional[List[torch.Tensor]] = None):
        x = x + self.dropout(self.attention(self.attention_norm(x), place, cache))
        return x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))


class GPT(nn.Module):
    """Tokens (B, T), with T at most the context, to logits (B, T, vocab).

    With a cache, an empty list at first, tokens are those that follow the ones before: any number at first, then one at a
    time.
    """

    def __init__(self, config: GPTConfig):
        super().__init__()
        self.context = config.context
        self.token = nn.Embedding(config.vocab, config.width)
        self.position = nn.Embedding(config.context, config.width)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList([Block(config) for _ in range(config.layers)])
        self.norm = nn.LayerNorm(config.width, bias=config.bias)
        self.head = nn.Linear(config.width, config.vocab, bias=False)
        self.head.weight = self.token.weight  # one matrix: what a token means is how it is predicted

        self.apply(self.init_weights)
        for name, weight in self.named_parameters():
            if name.endswith("out.weight"):  # what residuals add up should not grow with depth
                nn.init.normal_(weight, std=0.02 / math.sqrt(2 * config.layers))

    def init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, tokens, cache: Optional[List[torch.Tensor]] = None):
        seen = 0
        if cache is not None:
            if len(cache) > 0:
                seen = cache[0].size(2)
                assert tokens.size(1) == 1, "behind the first tokens, a cache takes one at a time"
        T = seen + tokens.size(1)
        assert T <= self.context, f"{T} tokens are more than the context of {self.context}"
        x = self.token(tokens) + self.position(torch.arange(seen, T, device=tokens.device))
        x = self.dropout(x)
        for i, block in enumerate(self.blocks):
            x = block(x, 2 * i, cache)
        return self.head(self.norm(x))
