# refused: 13:9: 'save' cannot be called in a model: a model cannot touch files
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        y = self.fc(x)
        torch.save(y, "activations.pt")
        return y
