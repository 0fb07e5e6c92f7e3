import torch
from torch import nn


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight.t()

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        return gradient @ weight.t(), gradient.t() @ x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.weight = nn.Parameter(torch.zeros(3, 4))

    def forward(self, x):
        return Product.apply(self.first(x), self.weight)
