# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn
from torch.autograd import Function, Variable
from torch.autograd.function import once_differentiable


class Sign(Function):
    """The sign, with the gradient of the identity inside of a clip."""

    @staticmethod
    def forward(ctx, input, clip=1.0):
        ctx.save_for_backward(input)
        ctx.clip = clip
        return torch.sign(input)

    @staticmethod
    def backward(ctx, grad_output):
        (input,) = ctx.saved_tensors
        return grad_output * (input.abs() <= ctx.clip).float(), None


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.neg() * ctx.alpha, None


class Swish(Function):
    @staticmethod
    def forward(ctx, i):
        result = i * torch.sigmoid(i)
        ctx.save_for_backward(i)
        return result

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        i = ctx.saved_tensors[0]
        sigmoid_i = torch.sigmoid(i)
        return grad_output * (sigmoid_i * (1 + i * (1 - sigmoid_i)))


class Scaled(Function):
    """A product with a gradient for what needs one, and a bias that may be None."""

    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight, bias)
        y = x @ weight.t()
        if bias is not None:
            y = y + bias
        return y

    @staticmethod
    def backward(ctx, grad_output):
        x, weight, bias = ctx.saved_tensors
        grad_x = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_x = grad_output @ weight
        if ctx.needs_input_grad[1]:
            grad_weight = 2 * grad_output.t() @ x
        if bias is not None:
            grad_bias = grad_output.sum(0)
        return grad_x, grad_weight, grad_bias


class Nearest(Function):
    """The nearest row of a codebook: the gradient passes straight through, the codes have none."""

    @staticmethod
    def forward(ctx, inputs, codebook):
        codes = torch.cdist(inputs, codebook).argmin(1)
        found = codebook.index_select(0, codes)
        ctx.save_for_backward(codes, codebook)
        ctx.mark_non_differentiable(codes)
        return found, codes

    @staticmethod
    def backward(ctx, grad_output, grad_codes):
        grad_inputs, grad_codebook = None, None
        if ctx.needs_input_grad[0]:
            grad_inputs = grad_output.clone()
        if ctx.needs_input_grad[1]:
            codes, codebook = ctx.saved_tensors
            grad_codebook = torch.zeros_like(codebook).index_add(0, codes, grad_output)
        return grad_inputs, grad_codebook


class Cubed(Function):
    @staticmethod
    def forward(x, scale):
        return scale * x**3

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, scale = inputs
        ctx.save_for_backward(x, output)
        ctx.scale = scale

    @staticmethod
    def backward(ctx, grad_output):
        x, output = ctx.saved_tensors
        return grad_output * (3 * ctx.scale * x**2 + 0 * output), None


class Mixed(Function):
    @staticmethod
    def forward(ctx, a, *others):
        ctx.count = len(others)
        return a + others[0] * 2, a - others[1]

    @staticmethod
    def backward(ctx, *grads):
        return grads[0] + grads[1], 2 * grads[0], -grads[1]


sign = Sign.apply


def reverse(x, alpha=0.5):
    return Reverse.apply(x, alpha)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.weight = nn.Parameter(torch.randn(4, 4))
        self.codebook = nn.Parameter(torch.randn(5, 4))
        self.bias = nn.Parameter(torch.zeros(4))
        self.quantize = Nearest.apply
        self.register_buffer("start", Swish.apply(torch.ones(4)))

    def forward(self, x):
        h = self.linear(x) + Variable(self.linear(x))
        h = sign(h) + Sign.apply(h, 0.5) + reverse(h)
        h = Swish.apply(h + self.start)
        h = Scaled.apply(h, self.weight) + Scaled.apply(h, self.weight, self.bias)
        found, codes = self.quantize(h, self.codebook)
        h = Cubed.apply(0.1 * (h + found), 0.3) + codes.unsqueeze(1)
        a, b = Mixed.apply(h, self.bias.expand_as(h), self.start * h)
        return a + b
