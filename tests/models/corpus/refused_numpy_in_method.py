# refused: 12:20: numpy is not available while the model runs
import numpy as np
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return x + torch.from_numpy(np.zeros(3, dtype=np.float32))
