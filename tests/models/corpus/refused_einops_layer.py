# refused: 10:23: Error while processing rearrange-reduction pattern "b c (h -> b c h": Imbalanced parentheses in expression: "b c (h "
import torch
from einops.layers.torch import Rearrange
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = Rearrange("b c (h -> b c h")

    def forward(self, x):
        return self.layers(x)
