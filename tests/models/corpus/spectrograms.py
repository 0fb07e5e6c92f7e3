# works
# inputs: torch.randn(2, 32)
import torch
from torch import nn


class Weighted(nn.Conv1d):
    """A convolution whose weights have the mean 0."""

    def forward(self, x):
        weight = self.weight - self.weight.mean(dim=(1, 2), keepdim=True)
        return self._conv_forward(x, weight, self.bias)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(8))
        self.conv = Weighted(5, 3, 3, padding=1)
        self.around = Weighted(3, 2, 3, padding=1, padding_mode="circular")

    def forward(self, x):
        first = torch.stft(x, 8, 4, window=self.window, return_complex=True)
        second = x.stft(8, hop_length=4, window=self.window, return_complex=True)
        third = torch.stft(x, 8, 4, 8, self.window, False, return_complex=True)
        power = first.abs() + second.abs()
        return self.around(self.conv(power)), third.abs()
