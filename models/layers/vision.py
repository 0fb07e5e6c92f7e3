"""The models of torchvision.models that others are built from."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torchvision.ops.misc import Conv2dNormActivation


def _without_weights(weights, old):
    """Refuses weights that torchvision would download. `old` may have the keyword of old versions."""
    if weights or old.pop("pretrained", False):
        raise NotImplementedError(
            "weights that others trained are not downloaded here: write weights=None, and give the file of weights "
            "in the recipe, model.weights: {from: FILE}"
        )


def _reset(module, fan="fan_in", linear=None):
    """The initial weights that these models have in common, drawn in the order of their modules."""
    for part in module.modules():
        if isinstance(part, nn.Conv2d):
            nn.init.kaiming_normal_(part.weight, mode=fan, nonlinearity="relu")
            if part.bias is not None:
                nn.init.zeros_(part.bias)
        elif isinstance(part, (nn.BatchNorm2d, nn.GroupNorm)):
            nn.init.ones_(part.weight)
            nn.init.zeros_(part.bias)
        elif isinstance(part, nn.Linear) and linear is not None:
            nn.init.normal_(part.weight, 0, linear)
            nn.init.zeros_(part.bias)


def _make_divisible(v, divisor, min_value=None):
    least = divisor if min_value is None else min_value
    rounded = max(least, int(v + divisor / 2) // divisor * divisor)
    return rounded + divisor if rounded < 0.9 * v else rounded


class _Weights:
    """The names of weights. They are kept, and refused where a model is made with them."""

    DEFAULT = "DEFAULT"
    IMAGENET1K_V1 = "IMAGENET1K_V1"
    IMAGENET1K_V2 = "IMAGENET1K_V2"
    IMAGENET1K_FEATURES = "IMAGENET1K_FEATURES"


ResNet18_Weights = ResNet34_Weights = ResNet50_Weights = ResNet101_Weights = ResNet152_Weights = _Weights
ResNeXt50_32X4D_Weights = ResNeXt101_32X8D_Weights = ResNeXt101_64X4D_Weights = _Weights
Wide_ResNet50_2_Weights = Wide_ResNet101_2_Weights = _Weights
AlexNet_Weights = VGG11_Weights = VGG13_Weights = VGG16_Weights = VGG19_Weights = _Weights
VGG11_BN_Weights = VGG13_BN_Weights = VGG16_BN_Weights = VGG19_BN_Weights = _Weights
MobileNet_V2_Weights = _Weights
DenseNet121_Weights = DenseNet161_Weights = DenseNet169_Weights = DenseNet201_Weights = _Weights


# --- resnet


def conv3x3(in_planes, out_planes, stride=1, groups=1, dilation=1):
    return nn.Conv2d(in_planes, out_planes, 3, stride, dilation, dilation, groups, bias=False)


def conv1x1(in_planes, out_planes, stride=1):
    return nn.Conv2d(in_planes, out_planes, 1, stride, bias=False)


class BasicBlock(nn.Module):
    expansion = 1

    def __init__(
        self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64, dilation=1, norm_layer=None
    ):
        super().__init__()
        norm = nn.BatchNorm2d if norm_layer is None else norm_layer
        if groups != 1 or base_width != 64:
            raise ValueError("BasicBlock only supports groups=1 and base_width=64")
        if dilation > 1:
            raise NotImplementedError("Dilation > 1 not supported in BasicBlock")
        self.conv1 = conv3x3(inplanes, planes, stride)
        self.bn1 = norm(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = conv3x3(planes, planes)
        self.bn2 = norm(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class Bottleneck(nn.Module):
    expansion = 4

    def __init__(
        self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64, dilation=1, norm_layer=None
    ):
        super().__init__()
        norm = nn.BatchNorm2d if norm_layer is None else norm_layer
        width = int(planes * (base_width / 64.0)) * groups
        self.conv1 = conv1x1(inplanes, width)
        self.bn1 = norm(width)
        self.conv2 = conv3x3(width, width, stride, groups, dilation)
        self.bn2 = norm(width)
        self.conv3 = conv1x1(width, planes * self.expansion)
        self.bn3 = norm(planes * self.expansion)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class ResNet(nn.Module):
    def __init__(
        self,
        block,
        layers,
        num_classes=1000,
        zero_init_residual=False,
        groups=1,
        width_per_group=64,
        replace_stride_with_dilation=None,
        norm_layer=None,
    ):
        super().__init__()
        self._norm_layer = nn.BatchNorm2d if norm_layer is None else norm_layer
        dilates = [False, False, False] if replace_stride_with_dilation is None else replace_stride_with_dilation
        if len(dilates) != 3:
            raise ValueError(
                f"replace_stride_with_dilation should be None or a 3-element tuple, got {replace_stride_with_dilation}"
            )
        self.inplanes = 64
        self.dilation = 1
        self.groups = groups
        self.base_width = width_per_group
        self.conv1 = nn.Conv2d(3, self.inplanes, 7, 2, 3, bias=False)
        self.bn1 = self._norm_layer(self.inplanes)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        self.layer1 = self._make_layer(block, 64, layers[0])
        self.layer2 = self._make_layer(block, 128, layers[1], 2, dilates[0])
        self.layer3 = self._make_layer(block, 256, layers[2], 2, dilates[1])
        self.layer4 = self._make_layer(block, 512, layers[3], 2, dilates[2])
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512 * block.expansion, num_classes)
        _reset(self, "fan_out")
        if zero_init_residual:
            for part in self.modules():
                last = "bn3" if isinstance(part, Bottleneck) else "bn2"
                if isinstance(part, (Bottleneck, BasicBlock)) and getattr(part, last).weight is not None:
                    nn.init.zeros_(getattr(part, last).weight)

    def _make_layer(self, block, planes, blocks, stride=1, dilate=False):
        norm = self._norm_layer
        before = self.dilation
        if dilate:
            self.dilation *= stride
            stride = 1
        width = planes * block.expansion
        downsample = None
        if stride != 1 or self.inplanes != width:
            downsample = nn.Sequential(conv1x1(self.inplanes, width, stride), norm(width))
        made = [block(self.inplanes, planes, stride, downsample, self.groups, self.base_width, before, norm)]
        self.inplanes = width
        for _ in range(1, blocks):
            made.append(block(width, planes, 1, None, self.groups, self.base_width, self.dilation, norm))
        return nn.Sequential(*made)

    def _forward_impl(self, x: Tensor):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))

    def forward(self, x: Tensor):
        return self._forward_impl(x)


def _resnet(block, layers, weights, progress=True, **kwargs):
    _without_weights(weights, kwargs)
    return ResNet(block, layers, **kwargs)


def resnet18(weights=None, progress=True, **kwargs):
    return _resnet(BasicBlock, [2, 2, 2, 2], weights, progress, **kwargs)


def resnet34(weights=None, progress=True, **kwargs):
    return _resnet(BasicBlock, [3, 4, 6, 3], weights, progress, **kwargs)


def resnet50(weights=None, progress=True, **kwargs):
    return _resnet(Bottleneck, [3, 4, 6, 3], weights, progress, **kwargs)


def resnet101(weights=None, progress=True, **kwargs):
    return _resnet(Bottleneck, [3, 4, 23, 3], weights, progress, **kwargs)


def resnet152(weights=None, progress=True, **kwargs):
    return _resnet(Bottleneck, [3, 8, 36, 3], weights, progress, **kwargs)


def resnext50_32x4d(weights=None, progress=True, **kwargs):
    return resnet50(weights=weights, **{**kwargs, "groups": 32, "width_per_group": 4})


def resnext101_32x8d(weights=None, progress=True, **kwargs):
    return resnet101(weights=weights, **{**kwargs, "groups": 32, "width_per_group": 8})


def resnext101_64x4d(weights=None, progress=True, **kwargs):
    return resnet101(weights=weights, **{**kwargs, "groups": 64, "width_per_group": 4})


def wide_resnet50_2(weights=None, progress=True, **kwargs):
    return resnet50(weights=weights, **{**kwargs, "width_per_group": 128})


def wide_resnet101_2(weights=None, progress=True, **kwargs):
    return resnet101(weights=weights, **{**kwargs, "width_per_group": 128})


# --- alexnet, vgg


class AlexNet(nn.Module):
    def __init__(self, num_classes=1000, dropout=0.5):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 64, 11, 4, 2),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(3, 2),
            nn.Conv2d(64, 192, 5, padding=2),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(3, 2),
            nn.Conv2d(192, 384, 3, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv2d(384, 256, 3, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv2d(256, 256, 3, padding=1),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(3, 2),
        )
        self.avgpool = nn.AdaptiveAvgPool2d((6, 6))
        self.classifier = nn.Sequential(
            nn.Dropout(dropout),
            nn.Linear(256 * 6 * 6, 4096),
            nn.ReLU(inplace=True),
            nn.Dropout(dropout),
            nn.Linear(4096, 4096),
            nn.ReLU(inplace=True),
            nn.Linear(4096, num_classes),
        )

    def forward(self, x: Tensor):
        x = self.avgpool(self.features(x))
        return self.classifier(torch.flatten(x, 1))


def alexnet(weights=None, progress=True, **kwargs):
    _without_weights(weights, kwargs)
    return AlexNet(**kwargs)


class VGG(nn.Module):
    def __init__(self, features, num_classes=1000, init_weights=True, dropout=0.5):
        super().__init__()
        self.features = features
        self.avgpool = nn.AdaptiveAvgPool2d((7, 7))
        self.classifier = nn.Sequential(
            nn.Linear(512 * 7 * 7, 4096),
            nn.ReLU(True),
            nn.Dropout(dropout),
            nn.Linear(4096, 4096),
            nn.ReLU(True),
            nn.Dropout(dropout),
            nn.Linear(4096, num_classes),
        )
        if init_weights:
            _reset(self, "fan_out", 0.01)

    def forward(self, x: Tensor):
        x = self.avgpool(self.features(x))
        return self.classifier(torch.flatten(x, 1))


def make_layers(cfg, batch_norm=False):
    layers = []
    channels = 3
    for width in cfg:
        if width == "M":
            layers.append(nn.MaxPool2d(kernel_size=2, stride=2))
            continue
        layers.append(nn.Conv2d(channels, width, 3, padding=1))
        if batch_norm:
            layers.append(nn.BatchNorm2d(width))
        layers.append(nn.ReLU(inplace=True))
        channels = width
    return nn.Sequential(*layers)


def _stages(*counts):
    """The widths of VGG: `counts` convolutions of each width, a pool after each stage."""
    cfg = []
    for width, count in zip([64, 128, 256, 512, 512], counts):
        cfg += [width] * count + ["M"]
    return cfg


cfgs = {
    "A": _stages(1, 1, 2, 2, 2),
    "B": _stages(2, 2, 2, 2, 2),
    "D": _stages(2, 2, 3, 3, 3),
    "E": _stages(2, 2, 4, 4, 4),
}


def _vgg(cfg, batch_norm, weights, progress=True, **kwargs):
    _without_weights(weights, kwargs)
    return VGG(make_layers(cfgs[cfg], batch_norm), **kwargs)


def vgg11(weights=None, progress=True, **kwargs):
    return _vgg("A", False, weights, progress, **kwargs)


def vgg11_bn(weights=None, progress=True, **kwargs):
    return _vgg("A", True, weights, progress, **kwargs)


def vgg13(weights=None, progress=True, **kwargs):
    return _vgg("B", False, weights, progress, **kwargs)


def vgg13_bn(weights=None, progress=True, **kwargs):
    return _vgg("B", True, weights, progress, **kwargs)


def vgg16(weights=None, progress=True, **kwargs):
    return _vgg("D", False, weights, progress, **kwargs)


def vgg16_bn(weights=None, progress=True, **kwargs):
    return _vgg("D", True, weights, progress, **kwargs)


def vgg19(weights=None, progress=True, **kwargs):
    return _vgg("E", False, weights, progress, **kwargs)


def vgg19_bn(weights=None, progress=True, **kwargs):
    return _vgg("E", True, weights, progress, **kwargs)


# --- mobilenetv2


class InvertedResidual(nn.Module):
    def __init__(self, inp, oup, stride, expand_ratio, norm_layer=None):
        super().__init__()
        if stride not in [1, 2]:
            raise ValueError(f"stride should be 1 or 2 instead of {stride}")
        norm = nn.BatchNorm2d if norm_layer is None else norm_layer
        self.stride = stride
        self.use_res_connect = stride == 1 and inp == oup
        hidden = int(round(inp * expand_ratio))
        layers = []
        if expand_ratio != 1:
            layers.append(
                Conv2dNormActivation(inp, hidden, kernel_size=1, norm_layer=norm, activation_layer=nn.ReLU6)
            )
        layers.append(
            Conv2dNormActivation(
                hidden, hidden, stride=stride, groups=hidden, norm_layer=norm, activation_layer=nn.ReLU6
            )
        )
        layers += [nn.Conv2d(hidden, oup, 1, bias=False), norm(oup)]
        self.conv = nn.Sequential(*layers)
        self.out_channels = oup
        self._is_cn = stride > 1

    def forward(self, x):
        if self.use_res_connect:
            return x + self.conv(x)
        return self.conv(x)


class MobileNetV2(nn.Module):
    def __init__(
        self,
        num_classes=1000,
        width_mult=1.0,
        inverted_residual_setting=None,
        round_nearest=8,
        block=None,
        norm_layer=None,
        dropout=0.2,
    ):
        super().__init__()
        make = InvertedResidual if block is None else block
        norm = nn.BatchNorm2d if norm_layer is None else norm_layer
        setting = inverted_residual_setting
        if setting is None:
            # Each stage: the expansion, the channels, the number of blocks, the first stride.
            setting = [
                [1, 16, 1, 1],
                [6, 24, 2, 2],
                [6, 32, 3, 2],
                [6, 64, 4, 2],
                [6, 96, 3, 1],
                [6, 160, 3, 2],
                [6, 320, 1, 1],
            ]
        if len(setting) == 0 or len(setting[0]) != 4:
            raise ValueError(f"inverted_residual_setting should be non-empty or a 4-element list, got {setting}")
        channels = _make_divisible(32 * width_mult, round_nearest)
        self.last_channel = _make_divisible(1280 * max(1.0, width_mult), round_nearest)
        features = [Conv2dNormActivation(3, channels, stride=2, norm_layer=norm, activation_layer=nn.ReLU6)]
        for expansion, width, count, first in setting:
            after = _make_divisible(width * width_mult, round_nearest)
            for i in range(count):
                stride = first if i == 0 else 1
                features.append(make(channels, after, stride, expand_ratio=expansion, norm_layer=norm))
                channels = after
        features.append(
            Conv2dNormActivation(
                channels, self.last_channel, kernel_size=1, norm_layer=norm, activation_layer=nn.ReLU6
            )
        )
        self.features = nn.Sequential(*features)
        self.classifier = nn.Sequential(nn.Dropout(dropout), nn.Linear(self.last_channel, num_classes))
        _reset(self, "fan_out", 0.01)

    def _forward_impl(self, x: Tensor):
        x = F.adaptive_avg_pool2d(self.features(x), (1, 1))
        return self.classifier(torch.flatten(x, 1))

    def forward(self, x: Tensor):
        return self._forward_impl(x)


def mobilenet_v2(weights=None, progress=True, **kwargs):
    _without_weights(weights, kwargs)
    return MobileNetV2(**kwargs)


# --- densenet


class _DenseLayer(nn.Module):
    def __init__(self, num_input_features, growth_rate, bn_size, drop_rate, memory_efficient=False):
        super().__init__()
        self.norm1 = nn.BatchNorm2d(num_input_features)
        self.relu1 = nn.ReLU(inplace=True)
        self.conv1 = nn.Conv2d(num_input_features, bn_size * growth_rate, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(bn_size * growth_rate)
        self.relu2 = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(bn_size * growth_rate, growth_rate, 3, padding=1, bias=False)
        self.drop_rate = float(drop_rate)
        self.memory_efficient = memory_efficient

    def bn_function(self, inputs: list[Tensor]):
        return self.conv1(self.relu1(self.norm1(torch.cat(inputs, 1))))

    def forward(self, input: list[Tensor]):
        made = self.conv2(self.relu2(self.norm2(self.bn_function(input))))
        if self.drop_rate > 0:
            made = F.dropout(made, self.drop_rate, self.training)
        return made


class _DenseBlock(nn.ModuleDict):
    def __init__(self, num_layers, num_input_features, bn_size, growth_rate, drop_rate, memory_efficient=False):
        super().__init__()
        for i in range(num_layers):
            width = num_input_features + i * growth_rate
            layer = _DenseLayer(width, growth_rate, bn_size, drop_rate, memory_efficient)
            self.add_module(f"denselayer{i + 1}", layer)

    def forward(self, init_features: Tensor):
        features = [init_features]
        for layer in self.values():
            features.append(layer(features))
        return torch.cat(features, 1)


class _Transition(nn.Sequential):
    def __init__(self, num_input_features, num_output_features):
        super().__init__()
        self.norm = nn.BatchNorm2d(num_input_features)
        self.relu = nn.ReLU(inplace=True)
        self.conv = nn.Conv2d(num_input_features, num_output_features, 1, bias=False)
        self.pool = nn.AvgPool2d(kernel_size=2, stride=2)


class DenseNet(nn.Module):
    def __init__(
        self,
        growth_rate=32,
        block_config=(6, 12, 24, 16),
        num_init_features=64,
        bn_size=4,
        drop_rate=0,
        num_classes=1000,
        memory_efficient=False,
    ):
        super().__init__()
        self.features = nn.Sequential()
        self.features.add_module("conv0", nn.Conv2d(3, num_init_features, 7, 2, 3, bias=False))
        self.features.add_module("norm0", nn.BatchNorm2d(num_init_features))
        self.features.add_module("relu0", nn.ReLU(inplace=True))
        self.features.add_module("pool0", nn.MaxPool2d(kernel_size=3, stride=2, padding=1))
        width = num_init_features
        for i, count in enumerate(block_config):
            block = _DenseBlock(count, width, bn_size, growth_rate, drop_rate, memory_efficient)
            self.features.add_module(f"denseblock{i + 1}", block)
            width += count * growth_rate
            if i + 1 < len(block_config):
                self.features.add_module(f"transition{i + 1}", _Transition(width, width // 2))
                width //= 2
        self.features.add_module("norm5", nn.BatchNorm2d(width))
        self.classifier = nn.Linear(width, num_classes)
        _reset(self)
        nn.init.zeros_(self.classifier.bias)

    def forward(self, x: Tensor):
        x = F.adaptive_avg_pool2d(F.relu(self.features(x), inplace=True), (1, 1))
        return self.classifier(torch.flatten(x, 1))


def densenet121(weights=None, progress=True, **kwargs):
    _without_weights(weights, kwargs)
    return DenseNet(32, (6, 12, 24, 16), 64, **kwargs)


def densenet161(weights=None, progress=True, **kwargs):
    _without_weights(weights, kwargs)
    return DenseNet(48, (6, 12, 36, 24), 96, **kwargs)


def densenet169(weights=None, progress=True, **kwargs):
    _without_weights(weights, kwargs)
    return DenseNet(32, (6, 12, 32, 32), 64, **kwargs)


def densenet201(weights=None, progress=True, **kwargs):
    _without_weights(weights, kwargs)
    return DenseNet(32, (6, 12, 48, 32), 64, **kwargs)
