# refused: 11:16: '_reshape_alias' cannot be called in a model: it is a part of LibTorch's own implementation, which does not check its arguments
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return torch.ops.aten._reshape_alias(x, [1000], [1])
