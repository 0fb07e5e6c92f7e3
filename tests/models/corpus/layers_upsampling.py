# works
# inputs: torch.randn(2, 3, 5), torch.randn(2, 3, 4, 5), torch.randn(1, 2, 2, 3, 4)
import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(1))
        self.one = nn.ModuleList([nn.Upsample(scale_factor=2), nn.Upsample(size=7, mode="linear")])
        self.two = nn.ModuleList(
            [
                nn.Upsample(scale_factor=2),
                nn.Upsample(size=(3, 4), mode="bilinear", align_corners=True),
                nn.Upsample(scale_factor=(1.5, 2.0), mode="bicubic"),
                nn.UpsamplingNearest2d(scale_factor=3),
                nn.UpsamplingBilinear2d(size=6),
            ]
        )
        self.three = nn.Upsample(scale_factor=2, mode="trilinear")

    def forward(self, x, y, z):
        x, y, z = x * self.weight, y * self.weight, z * self.weight
        resized = [
            F.interpolate(y, size=(8, 9)),
            F.interpolate(y, size=y.shape[-1], mode="bilinear", align_corners=False),
            F.interpolate(y, y.shape[2:], mode="nearest-exact"),
            F.interpolate(y, scale_factor=0.5, mode="area"),
            F.interpolate(y, scale_factor=1.3, mode="bilinear", recompute_scale_factor=True),
            F.interpolate(y, size=(3, 3), mode="bicubic", antialias=True),
            F.interpolate(y, [2, 2], mode="bilinear", antialias=True),
        ]
        return [layer(x) for layer in self.one], [layer(y) for layer in self.two], self.three(z), resized, F.interpolate(x, 3)
