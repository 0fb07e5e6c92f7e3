# works
# inputs: torch.randn(2, 3, 4, 4)
import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 1)
        self.layers = nn.ModuleList(
            [nn.RReLU(), nn.RReLU(0.2, 0.3), nn.Softmax2d(), nn.FeatureAlphaDropout(0.4), nn.Hardtanh(-2, 2), nn.ELU(alpha=2)]
        )

    def forward(self, x):
        x = self.conv(x)
        return [layer(x) for layer in self.layers], F.rrelu(x, training=self.training)
