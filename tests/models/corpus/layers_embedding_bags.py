# works
# inputs: torch.tensor([1, 2, 0, 4, 3]), torch.tensor([0, 1, 3]), torch.tensor([[1, 2], [3, 3]]), torch.rand(5)
import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.EmbeddingBag(5, 3)
        self.sum = nn.EmbeddingBag(5, 3, mode="sum", padding_idx=1)
        self.max = nn.EmbeddingBag(5, 3, mode="max")
        self.last = nn.EmbeddingBag(5, 2, mode="sum", include_last_offset=True)

    def forward(self, idx, offsets, bags, weights):
        a = self.mean(idx, offsets) + self.mean(idx, offsets=offsets)
        b = self.sum(idx, offsets, per_sample_weights=weights)
        return a, b, self.max(idx, offsets), self.mean(bags), self.last(idx, torch.tensor([0, 2, 5])), F.embedding_bag(bags, self.max.weight)
