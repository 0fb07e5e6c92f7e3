# refused: 10:24: the inputs of a model have names
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, *inputs):
        return inputs[0]
