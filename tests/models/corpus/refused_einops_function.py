# refused: 12:16: reduce() takes the name of a reduction here, and no function
import torch
from einops import reduce
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return reduce(x, "b c -> b", torch.logsumexp)
