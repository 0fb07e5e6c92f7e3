# refused: 11:16: Model.block() takes its object in '*rest'
import torch
from torch import nn


class Model(nn.Module):
    def block(*rest):
        return rest[1]

    def forward(self, x):
        return self.block(x)
