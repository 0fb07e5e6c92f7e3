# interpreted
# inputs: torch.randn(5, 4)
import torch
from torch import nn


class Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return x * scale

    @staticmethod
    def backward(ctx, gradient):
        x, scale = ctx.saved_variables
        return gradient * scale, (gradient * x).sum(0)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)
        self.scale = nn.Parameter(torch.ones(4))
        self.head = nn.Linear(4, 2)
        self.parts = {"head": self.head}
        self.forward = self.scaled

    def eval(self):
        super().eval()
        self.norm.train()
        return self

    def scaled(self, x):
        values = [part(Norm.apply(self.norm(x), self.scale)) for name, part in self.parts.items()]
        return torch.stft(values[0].flatten(), 4, 2, window=torch.ones(4), return_complex=True).abs()

    def forward(self, x):
        return x
