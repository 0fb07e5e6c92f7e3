# works
# inputs: torch.randn(1, 2, 4, 5, 4), torch.randn(2, 2, 7)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv3d(2, 4, (1, 2, 3), padding=(0, 1, 1))
        self.modes = nn.ModuleList(
            [
                nn.Conv3d(2, 2, 3, padding=1, padding_mode="replicate", groups=2),
                nn.Conv3d(2, 1, 3, padding="same", bias=False),
                nn.ConvTranspose3d(2, 3, 2, stride=2, output_padding=1),
            ]
        )
        self.circular = nn.Conv1d(2, 3, 3, padding=2, padding_mode="circular")
        self.up = nn.ConvTranspose1d(2, 4, 3, stride=2, groups=2, dilation=2)

    def forward(self, x, y):
        return self.conv(x), [conv(x) for conv in self.modes], self.circular(y), self.up(y)
