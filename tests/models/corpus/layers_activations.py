# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.activations = nn.ModuleList(
            [
                nn.ReLU(), nn.ReLU6(), nn.LeakyReLU(0.2), nn.PReLU(), nn.ELU(), nn.CELU(), nn.SELU(), nn.GELU(),
                nn.GELU(approximate="tanh"), nn.SiLU(), nn.Mish(), nn.Hardswish(), nn.Hardsigmoid(), nn.Hardtanh(),
                nn.Hardshrink(), nn.Softshrink(), nn.Tanhshrink(), nn.Threshold(0.1, 2.0), nn.Sigmoid(), nn.LogSigmoid(),
                nn.Tanh(), nn.Softplus(), nn.Softsign(), nn.GLU(), nn.Softmax(dim=1), nn.LogSoftmax(dim=-1),
                nn.Softmin(dim=0), nn.Identity(), nn.Softmax(dim=-1),
            ]
        )

    def forward(self, x):
        x = self.linear(x)
        return [activation(x) for activation in self.activations]
