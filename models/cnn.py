"""A convolutional network for images.

In a recipe: model: {source: models/cnn.py, args: {channels: 1, widths: [32, 64], classes: 10}}
"""

from torch import nn


def block(inputs: int, outputs: int):
    """Two convolutions, and half the height and width: (B, inputs, H, W) to (B, outputs, H/2, W/2)."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel_size=3, padding=1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
        nn.Conv2d(outputs, outputs, kernel_size=3, padding=1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(2),
    )


class CNN(nn.Module):
    """(B, channels, H, W) to (B, classes): one block for each of `widths`, of any H and W that can be halved so often."""

    def __init__(self, channels: int, widths: list[int], classes: int, dropout: float = 0.0):
        super().__init__()
        self.features = nn.Sequential(
            *[block(inputs, outputs) for inputs, outputs in zip([channels] + widths, widths)]
        )
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(widths[-1], classes)

    def forward(self, image):
        x = self.pool(self.features(image)).flatten(1)
        return self.classifier(self.dropout(x))
