# refused: 11:16: 'ctc_loss' cannot be called in a model: it does not check its arguments, so it could read other memory
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, targets, lengths):
        return torch.ctc_loss(x, targets, lengths, lengths)
