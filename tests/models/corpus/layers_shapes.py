# works
# inputs: torch.randn(2, 4, 6, 6)
import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 4, 1)
        self.unfold = nn.Unfold(kernel_size=2, stride=2)
        self.fold = nn.Fold((6, 6), kernel_size=(2, 2), stride=2)
        self.others = nn.ModuleList(
            [nn.PixelShuffle(2), nn.PixelUnshuffle(2), nn.ChannelShuffle(2), nn.Unflatten(1, (2, 2)), nn.Flatten(2, 3)]
        )
        self.similarity = nn.CosineSimilarity(dim=1)
        self.distance = nn.PairwiseDistance(keepdim=True)

    def forward(self, x):
        x = self.conv(x)
        patches = self.unfold(x)
        same = F.fold(F.unfold(x, 3, padding=1), (6, 6), 3, padding=1)
        a, b = x.flatten(1)[:, :8], x.flatten(1)[:, 8:16]
        return patches, self.fold(patches), same, [other(x) for other in self.others], self.similarity(a, b), self.distance(a, b)
