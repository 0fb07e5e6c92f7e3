# interpreted: 26:9: a method cannot use this list: what is in it has no one type
# inputs: torch.randn(2, 5, 4)
# Attributes that forward makes, and that later steps read.
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.register_buffer("steps", torch.zeros((), dtype=torch.long))
        self.seen = []

    def table(self, length):
        if hasattr(self, "cache") and self.cache.size(0) == length:
            return self.cache
        places = torch.arange(length).unsqueeze(1)
        # Kept until a sequence has another length.
        table = torch.sin(places / 10 ** torch.arange(4))
        self.cache = table
        return table

    def forward(self, x):
        self.steps += 1
        self.seen.append(x.size(1))
        self.attention = torch.softmax(x @ x.transpose(1, 2), -1)
        return self.linear(self.attention @ (x + self.table(x.size(1)))) * len(self.seen)
