# interpreted: 16:23: function cannot be used as a value
# inputs: torch.randn(3, 4)
# Gradients of their own, in a model that is interpreted.
import torch
from torch import nn
from torch.autograd import Function


class Surrogate(Function):
    """A step whose gradient is that of a function which the caller chooses."""

    @staticmethod
    def forward(ctx, x, slope, how):
        if x.requires_grad:
            ctx.save_for_backward(x)
            ctx.how = how
        ctx.slopes = {"slope": slope}
        return (x > 0).to(x)

    @staticmethod
    def backward(ctx, grad_output):
        grad_x = None
        if ctx.needs_input_grad[0]:
            x = ctx.saved_tensors[0]
            grad_x = grad_output * ctx.how(x * ctx.slopes["slope"])
        return grad_x, None, None


class Parts(Function):
    """Several results, of which one is a number and one has no gradient."""

    @staticmethod
    def forward(ctx, x, *others):
        ctx.set_materialize_grads(False)
        order = x.argsort(1)
        ctx.mark_non_differentiable(order)
        ctx.others = len(others)
        squares = x * x
        ctx.save_for_backward(x, None, squares)
        return x * 2, order, squares, x.size(0)

    @staticmethod
    def backward(ctx, doubled, order, squares, size):
        assert order is None and size is None
        x, nothing, kept = ctx.saved_tensors
        assert nothing is None and torch.allclose(kept, x * x)
        result = torch.zeros_like(x)
        if doubled is not None:
            result = result + 2 * doubled
        if squares is not None:
            result = result + 2 * x * squares
        return (result,) + (None,) * ctx.others


class InPlace(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(3)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return 3 * grad_output


class Apart(Function):
    """The context is set up by a method of its own."""

    @staticmethod
    def forward(x, weight):
        return x @ weight.t()

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight = inputs
        ctx.save_for_backward(x, weight)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        return grad_output @ weight, 0.5 * grad_output.t() @ x


class Same(Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.neg()


def triangle(x):
    return torch.clamp(1 - x.abs(), min=0)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 4)
        self.third = nn.Linear(4, 4, bias=False)
        self.seen = []

    def forward(self, x):
        spikes = Surrogate.apply(self.first(x), 2.0, triangle)
        doubled, order, squares, size = Parts.apply(self.second(x), "others", None)
        _, _, alone, _ = Parts.apply(self.second(spikes))
        if self.training:
            self.seen.append(size)
            self.seen.append("step")
        y = InPlace.apply(doubled + squares) + alone.gather(1, order)
        y = Apart.apply(y + spikes, self.third.weight)
        with torch.no_grad():
            steps = Surrogate.apply(y, 1.0, torch.sigmoid)
        return Same.apply(y) * (1 + steps) / size
