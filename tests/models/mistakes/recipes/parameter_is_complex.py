import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.Parameter(torch.ones(3, 3, dtype=torch.cfloat))
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(torch.fft.irfft(torch.fft.rfft(x) @ self.weights, n=4))
