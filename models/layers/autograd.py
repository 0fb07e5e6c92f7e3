"""torch.autograd: functions with a gradient of their own, and Variable."""

import torch


def Variable(data, requires_grad: bool = False):
    """The same numbers, without the history of their gradient."""
    data = data.detach()
    return data.requires_grad_() if requires_grad else data


def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
):
    """The gradients of outputs by inputs, a tuple in their order."""
    assert not is_grads_batched, "is_grads_batched is not supported"
    if isinstance(outputs, torch.Tensor):
        outputs = (outputs,)
    if isinstance(inputs, torch.Tensor):
        inputs = (inputs,)
    if grad_outputs is None or isinstance(grad_outputs, torch.Tensor):
        grad_outputs = (grad_outputs,) * len(outputs)
    keep = create_graph if retain_graph is None else retain_graph
    may_be_unused = materialize_grads if allow_unused is None else allow_unused
    found = _gradients_of(tuple(outputs), tuple(inputs), tuple(grad_outputs), keep, create_graph, may_be_unused)
    if materialize_grads:
        found = tuple(torch.zeros_like(x) if g is None else g for g, x in zip(found, inputs))
    return found


def once_differentiable(fn):
    return fn


class FunctionCtx:
    """What forward() leaves for backward()."""

    def __init__(self):
        self.saved_tensors = self.saved_variables = self.dirty = self.non_differentiable = ()
        self.materialize_grads = True

    def save_for_backward(self, *tensors):
        self.saved_tensors = self.saved_variables = tensors

    def mark_dirty(self, *args):
        self.dirty = args

    def mark_non_differentiable(self, *args):
        self.non_differentiable = args

    def set_materialize_grads(self, value):
        self.materialize_grads = value


class Function:
    setup_context = None

    @classmethod
    def apply(cls, *args):
        return _apply_function(cls, FunctionCtx(), args)
