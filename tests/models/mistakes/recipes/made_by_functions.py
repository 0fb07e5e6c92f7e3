from dataclasses import dataclass

from torch import nn


@dataclass
class Config:
    width: int = 8
    classes: int = 3


class Classifier(nn.Module):
    def __init__(self, config, layers=1):
        super().__init__()
        widths = [4] + [config.width] * layers
        hidden = [nn.Sequential(nn.Linear(a, b), nn.ReLU()) for a, b in zip(widths, widths[1:])]
        self.net = nn.Sequential(*hidden, nn.Linear(widths[-1], config.classes))

    def forward(self, x):
        return self.net(x)


def small(config):
    return Classifier(config)


def plain(width):
    return nn.Sequential(nn.Linear(4, width), nn.Linear(width, 3))


def wrong(width):
    return nn.Sequential(nn.Linear(4, width), nn.Linear(width + 1, 3))


def number():
    return 3
