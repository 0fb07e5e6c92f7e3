# works
# inputs: torch.randn(2, 4)
# needs: timm
# A class of another package is an error only where an object of it is made.
import torch
from timm.models.efficientnet import EfficientNet
from timm.models.sknet import SelectiveKernelBasic, SelectiveKernelBottleneck
from torch import nn


class Encoder(EfficientNet):
    def __init__(self, depth=5):
        super().__init__(block_args=[])
        self.depth = depth


class Deep(Encoder):
    pass


encoders = {
    "deep": {"encoder": Deep, "params": {"depth": 3}},
    "selective": {"encoder": SelectiveKernelBasic, "params": {"block": SelectiveKernelBottleneck}},
}
encoders.update({"linear": {"encoder": nn.Linear, "params": {"in_features": 4, "out_features": 3}}})


class Model(nn.Module):
    def __init__(self, name="linear"):
        super().__init__()
        if name not in encoders:
            raise KeyError(f"it knows {list(encoders)}")
        chosen = encoders[name]
        self.encoder = chosen["encoder"](**chosen["params"])
        self.is_deep = isinstance(self.encoder, Encoder)

    def forward(self, x):
        return self.encoder(x)
