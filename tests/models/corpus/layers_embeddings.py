# works
# inputs: torch.randint(0, 7, (2, 5))
import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(7, 4)
        self.padded = nn.Embedding(7, 4, padding_idx=2)
        self.bilinear = nn.Bilinear(4, 4, 3)

    def forward(self, idx):
        a, b = self.embed(idx), self.padded(idx)
        return a, b, F.embedding(idx, self.embed.weight), self.bilinear(a, b)
