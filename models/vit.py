"""A vision transformer: an image is a sequence of patches.

In a recipe: model: {source: models/vit.py, args: {image: 32, patch: 4, classes: 10, width: 192, heads: 3}}
"""

import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    """Each position looks at all: (B, T, width) to (B, T, width)."""

    def __init__(self, width: int, heads: int, dropout: float):
        super().__init__()
        assert width % heads == 0, "width must be divisible by heads"
        self.heads = heads
        self.dropout = dropout
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=self.dropout if self.training else 0.0)
        return self.out(y.transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, width: int, heads: int, dropout: float):
        super().__init__()
        self.attention_norm = nn.LayerNorm(width, eps=1e-6)
        self.attention = Attention(width, heads, dropout)
        self.feed_forward_norm = nn.LayerNorm(width, eps=1e-6)
        self.feed_forward = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Dropout(dropout), nn.Linear(4 * width, width)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        x = x + self.dropout(self.attention(self.attention_norm(x)))
        return x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))


class ViT(nn.Module):
    """Images (B, channels, image, image) to (B, classes)."""

    def __init__(
        self,
        image: int,
        patch: int,
        classes: int,
        channels: int = 3,
        width: int = 384,
        layers: int = 6,
        heads: int = 6,
        dropout: float = 0.0,
    ):
        super().__init__()
        assert image % patch == 0, "image must be divisible by patch"
        self.patches = nn.Conv2d(channels, width, kernel_size=patch, stride=patch)
        self.token = nn.Parameter(torch.zeros(1, 1, width))  # gathers what the image is
        self.position = nn.Parameter(torch.empty(1, (image // patch) ** 2 + 1, width))
        self.dropout = nn.Dropout(dropout)
        self.blocks = nn.Sequential(*[Block(width, heads, dropout) for _ in range(layers)])
        self.norm = nn.LayerNorm(width, eps=1e-6)
        self.head = nn.Linear(width, classes)

        nn.init.trunc_normal_(self.position, std=0.02)
        self.apply(self.init_weights)

    def init_weights(self, module):
        if isinstance(module, nn.Linear):
            nn.init.trunc_normal_(module.weight, std=0.02)
            nn.init.zeros_(module.bias)

    def forward(self, image):
        x = self.patches(image).flatten(2).transpose(1, 2)  # (B, patches, width)
        x = torch.cat([self.token.expand(x.size(0), -1, -1), x], dim=1) + self.position
        x = self.blocks(self.dropout(x))
        return self.head(self.norm(x[:, 0]))
