# works
# inputs: torch.randint(0, 6, (2, 5))
# Given tables draw nothing: the layers after them have the weights that PyTorch gives them.
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Embedding.from_pretrained(torch.arange(24.0).view(6, 4) / 24)
        self.trained = nn.Embedding.from_pretrained(torch.randn(6, 4), freeze=False, padding_idx=0)
        self.made = nn.Embedding(6, 4, _weight=torch.ones(6, 4))
        self.bags = nn.EmbeddingBag.from_pretrained(torch.randn(6, 4), mode="sum")
        self.kept = nn.EmbeddingBag(6, 4, _weight=torch.randn(6, 4))
        self.linear = nn.Linear(4, 3)

    def forward(self, x):
        y = self.rows(x) + self.trained(x) + self.made(x)
        return self.linear(y.mean(1) + self.bags(x) + self.kept(x))
