import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return x + torch.relu(self.linear(self.norm(x)))


class Shapes(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(64))
        self.shift = nn.Parameter(torch.zeros(64), requires_grad=False)
        self.token = nn.Embedding(17, 32)
        self.blocks = nn.ModuleList([Block(32) for _ in range(5)])
        self.drop = nn.Dropout(0.25)
        self.out = nn.Linear(32, 17, bias=False)
        self.out.weight = self.token.weight

    def forward(self, x):
        tokens = (x * self.scale + self.shift).abs().long().clamp(0, 16)
        x = self.drop(self.token(tokens))
        for block in self.blocks:
            x = self.drop(block(x))
        return self.out(x.mean(dim=1))
