# refused: 11:22: Error while processing repeat-reduction pattern "c -> b c": Specify sizes for new axes in repeat: {'b'}
import torch
from einops import repeat
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        token = torch.zeros(3)
        self.token = repeat(token, "c -> b c")

    def forward(self, x):
        return x + self.token
