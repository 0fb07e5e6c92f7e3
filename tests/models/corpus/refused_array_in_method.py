# refused: 11:20: numpy is not available while the model runs, and this is an array of it
import numpy as np
from torch import nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = np.arange(3)

    def forward(self, x):
        return x * self.table
