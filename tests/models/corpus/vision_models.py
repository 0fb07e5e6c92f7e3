# works
# inputs: torch.randn(4, 3, 40, 40)
# needs: torchvision
import torch
import torchvision
from torch import nn
from torchvision.models.densenet import DenseNet
from torchvision.models.mobilenetv2 import MobileNetV2
from torchvision.models.resnet import BasicBlock, Bottleneck, ResNet
from torchvision.models.vgg import make_layers


class Encoder(ResNet):
    def __init__(self, **kwargs):
        super().__init__(block=Bottleneck, layers=[1, 1, 1, 1], **kwargs)
        del self.fc
        del self.avgpool

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        return self.layer4(self.layer3(self.layer2(self.layer1(x)))).mean((2, 3))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        whole = torchvision.models.resnet18(weights=None, num_classes=5)
        self.stem = nn.Sequential(*list(whole.children())[:4])
        self.block = BasicBlock(64, 8, stride=2, downsample=nn.Conv2d(64, 8, 1, 2))
        self.encoder = Encoder(groups=4, width_per_group=1, replace_stride_with_dilation=[False, True, True]).layer1
        self.mobile = MobileNetV2(num_classes=3, width_mult=0.25, inverted_residual_setting=[[1, 16, 1, 1], [6, 24, 2, 2]])
        self.dense = DenseNet(4, (1, 2), 8, bn_size=2, num_classes=3)
        self.plain = make_layers([8, "M", 16, "M"], batch_norm=True)

    def forward(self, x):
        first = self.mobile.features(x).mean((2, 3))[:, :3] + self.dense(x)
        stem = self.stem(x)
        return torch.cat((first, self.block(stem).mean((2, 3)), self.encoder(stem).mean((2, 3)), self.plain(x).mean((2, 3))), 1)
