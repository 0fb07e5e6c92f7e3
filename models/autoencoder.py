"""An autoencoder: what goes in comes out again, through a few numbers.

In a recipe: model: {source: models/autoencoder.py, args: {inputs: 64, hidden: [32], code: 8}}, with the input as the
loss's target.
"""

from torch import nn


def layers(widths: list[int]):
    """Linear layers from each width to the next, with GELU between them."""
    made = []
    for before, after in zip(widths, widths[1:]):
        made += [nn.Linear(before, after), nn.GELU()]
    return nn.Sequential(*made[:-1])


class Autoencoder(nn.Module):
    """(B, inputs) to (B, inputs), through a code of (B, code)."""

    def __init__(self, inputs: int, hidden: list[int], code: int):
        super().__init__()
        widths = [inputs] + hidden + [code]
        self.encoder = layers(widths)
        self.decoder = layers(widths[::-1])

    def forward(self, x):
        return self.decoder(self.encoder(x))
