# works
# inputs: torch.randn(5, 2, 8)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2)
        self.batch_first = nn.MultiheadAttention(8, 4, bias=False, batch_first=True)

    def forward(self, x):
        a, weights = self.attention(x, x, x)
        b, none = self.attention(x, x, x, need_weights=False)
        mask = torch.triu(torch.ones(2, 2, dtype=torch.bool), diagonal=1)
        c, _ = self.batch_first(x, x, x, attn_mask=mask)
        return a, weights, b, c
