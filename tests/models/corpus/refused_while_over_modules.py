# refused: 14:33: which module this is would be known only while the model runs
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])

    def forward(self, x):
        k = 0
        while x.sum() > 0 and k < 3:
            if k == 1:
                x = self.layers[k](x)
            x = self.layers[k](x)
            k += 1
        return x
