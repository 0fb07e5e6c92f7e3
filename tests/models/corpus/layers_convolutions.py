# works
# inputs: torch.randn(2, 4, 9), torch.randn(2, 4, 7, 8)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.ModuleList([nn.Conv1d(4, 6, 3), nn.Conv1d(4, 6, 3, stride=2, padding=1, dilation=2, groups=2, bias=False), nn.Conv1d(4, 2, 5, padding="same")])
        self.two = nn.ModuleList([nn.Conv2d(4, 8, 3), nn.Conv2d(4, 4, (3, 5), stride=(2, 1), padding=(1, 2), groups=4), nn.Conv2d(4, 4, 3, padding=1, padding_mode="reflect")])
        self.up = nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1)
        self.up1 = nn.ConvTranspose1d(4, 6, 3)

    def forward(self, x, y):
        return [conv(x) for conv in self.one], [conv(y) for conv in self.two], self.up(y), self.up1(x)
