# interpreted: 37:25: function cannot be used as a value
# inputs: torch.randn(3, 4)
# Gradients that a model computes: activations that backward makes again, and a penalty on a gradient.
import torch
from torch import nn


class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, length, *args):
        ctx.run = run
        ctx.inputs = list(args[:length])
        ctx.parameters = list(args[length:])
        with torch.no_grad():
            return ctx.run(*ctx.inputs)

    @staticmethod
    def backward(ctx, *gradients):
        ctx.inputs = [x.detach().requires_grad_(True) for x in ctx.inputs]
        with torch.enable_grad():
            output = ctx.run(*[x.view_as(x) for x in ctx.inputs])
        found = torch.autograd.grad(output, ctx.inputs + ctx.parameters, gradients, allow_unused=True)
        return (None, None) + found


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.second = nn.Linear(8, 4)
        self.unused = nn.Linear(4, 4)

    def run(self, x):
        return self.second(torch.relu(self.first(x)))

    def forward(self, x):
        y = Again.apply(self.run, 1, x, *self.parameters())
        with torch.enable_grad():
            z = x.detach().requires_grad_()
            (slope,) = torch.autograd.grad(self.run(z).square().sum(), z, create_graph=True)
        return y + 0.1 * slope
