"""Optimizers that PyTorch lacks, written from their papers."""

import torch


class PlainOptimizer(torch.optim.Optimizer):
    """One parameter at a time, in plain operators."""

    def __init__(self, params, lr, **options):
        super().__init__(params, {"lr": lr, **options})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self.update(parameter, parameter.grad, self.state[parameter], group)


class Lion(PlainOptimizer):
    """Algorithm 2 of arXiv 2302.06675."""

    def __init__(self, params, lr, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, lr, betas=betas, weight_decay=weight_decay)

    def update(self, weights, gradient, state, group):
        beta1, beta2 = group["betas"]
        momentum = state.get("momentum", torch.zeros_like(weights))
        direction = torch.sign(beta1 * momentum + (1 - beta1) * gradient)
        weights -= group["lr"] * (direction + group["weight_decay"] * weights)
        state["momentum"] = beta2 * momentum + (1 - beta2) * gradient


class Lamb(PlainOptimizer):
    """Algorithm 2 of arXiv 1904.00962, with the identity as φ."""

    def __init__(self, params, lr, betas=(0.9, 0.999), eps=1e-6, weight_decay=0.01):
        super().__init__(params, lr, betas=betas, eps=eps, weight_decay=weight_decay)

    def update(self, weights, gradient, state, group):
        beta1, beta2 = group["betas"]
        step = state["step"] = state.get("step", 0) + 1
        mean = state["mean"] = beta1 * state.get("mean", 0) + (1 - beta1) * gradient
        square = state["square"] = beta2 * state.get("square", 0) + (1 - beta2) * gradient.square()
        ratio = (mean / (1 - beta1**step)) / ((square / (1 - beta2**step)).sqrt() + group["eps"])
        change = ratio + group["weight_decay"] * weights
        trust = weights.norm() / change.norm() if weights.norm() > 0 and change.norm() > 0 else 1.0
        weights -= group["lr"] * trust * change
