# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4)])

    def forward(self, x):
        outputs = []
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if isinstance(layer, nn.Linear):
                outputs.append(x)
            if i > 0 and hasattr(layer, "bias"):
                x = x + layer.bias
        return outputs
