import torch
from torch import nn


class Float64(nn.Module):
    """Two layers in float64, so that the order of additions is all that can differ."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.hidden = nn.Linear(inputs, 24, dtype=torch.float64)
        self.output = nn.Linear(24, outputs, dtype=torch.float64)

    def forward(self, pixels):
        return self.output(torch.tanh(self.hidden(pixels)))


class ItsOwnLoss(Float64):
    """Gives the mean of its loss over the samples, as `loss: from_model` wants it."""

    def forward(self, pixels, digit):
        scores = torch.tanh(self.hidden(pixels))
        return nn.functional.cross_entropy(self.output(scores), digit)
