"""Residual networks for images, with the names that torchvision gives their weights.

In a recipe: model: {source: models/resnet.py, args: {layers: [2, 2, 2, 2], classes: 1000}}
"""

import torch
from torch import nn


class BasicBlock(nn.Module):
    """Two convolutions beside a shortcut: (B, inputs, H, W) to (B, planes, H/stride, W/stride)."""

    expansion = 1

    def __init__(self, inputs: int, planes: int, stride: int = 1):
        super().__init__()
        outputs = planes * self.expansion
        self.conv1 = nn.Conv2d(inputs, planes, kernel_size=3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, kernel_size=3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = shortcut(inputs, outputs, stride)

    def forward(self, x):
        identity = x if self.downsample is None else self.downsample(x)
        x = self.relu(self.bn1(self.conv1(x)))
        x = self.bn2(self.conv2(x))
        return self.relu(x + identity)


class Bottleneck(nn.Module):
    """Three convolutions, narrow in the middle: (B, inputs, H, W) to (B, 4 · planes, H/stride, W/stride)."""

    expansion = 4

    def __init__(self, inputs: int, planes: int, stride: int = 1):
        super().__init__()
        outputs = planes * self.expansion
        self.conv1 = nn.Conv2d(inputs, planes, kernel_size=1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, kernel_size=3, stride=stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.conv3 = nn.Conv2d(planes, outputs, kernel_size=1, bias=False)
        self.bn3 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = shortcut(inputs, outputs, stride)

    def forward(self, x):
        identity = x if self.downsample is None else self.downsample(x)
        x = self.relu(self.bn1(self.conv1(x)))
        x = self.relu(self.bn2(self.conv2(x)))
        x = self.bn3(self.conv3(x))
        return self.relu(x + identity)


def shortcut(inputs: int, outputs: int, stride: int):
    """Nothing where a block keeps the shape, else the convolution that makes its input fit its output."""
    if stride == 1 and inputs == outputs:
        return None
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel_size=1, stride=stride, bias=False),
        nn.BatchNorm2d(outputs),
    )


class ResNet(nn.Module):
    """Images (B, channels, H, W) to (B, classes).

    [2, 2, 2, 2] layers are a ResNet-18, [3, 4, 6, 3] a ResNet-34 and, with bottlenecks, a ResNet-50. `small` is for
    images of about 32×32: the first layers keep their height and width.
    """

    def __init__(
        self,
        layers: list[int],
        classes: int,
        channels: int = 3,
        width: int = 64,
        bottleneck: bool = False,
        small: bool = False,
    ):
        super().__init__()
        block = Bottleneck if bottleneck else BasicBlock
        if small:
            self.conv1 = nn.Conv2d(channels, width, kernel_size=3, padding=1, bias=False)
            self.maxpool = nn.Identity()
        else:
            self.conv1 = nn.Conv2d(channels, width, kernel_size=7, stride=2, padding=3, bias=False)
            self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        inputs = width
        for i, count in enumerate(layers):
            planes = width * 2**i
            blocks = []
            for j in range(count):
                stride = 2 if i > 0 and j == 0 else 1
                blocks.append(block(inputs, planes, stride))
                inputs = planes * block.expansion
            self.add_module(f"layer{i + 1}", nn.Sequential(*blocks))
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(inputs, classes)

        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, image):
        x = self.maxpool(self.relu(self.bn1(self.conv1(image))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))
