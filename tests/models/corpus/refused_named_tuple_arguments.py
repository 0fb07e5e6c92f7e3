# refused: 17:16: Output() got multiple values for argument 'left'
from typing import NamedTuple

import torch
from torch import nn


class Output(NamedTuple):
    left: torch.Tensor
    right: torch.Tensor


class Model(nn.Module):
    def forward(self, x):
        y = Output(x, right=x)
        y = Output(y.left, y.right)
        return Output(x, x, left=x).left
