"""Models whose parameters are bfloat16 or float64, as their source says."""

import torch

from .case import Case, cross_entropy, trained_on
from .losses import HEADS
from .table import EQUAL, MEAN, Bound
from .training import How, class_of, train

# The smallest step of the type: 4e-3 of a bfloat16.
KERNELS = {"bfloat16": Bound(8e-3, "bfloat16's last bit, another kernel"), "float64": Bound(1e-12, "float64, another kernel")}


def compare(kind, lr, make, options, kernels):
    def check_of(double):
        name = "float64" if double else "bfloat16"

        def check(case, knead):
            run = knead.run(case.changes)
            for words, more, bound in [("torch by default", {}, KERNELS[name]), ("torch with fused=True", kernels, EQUAL)]:
                torch.manual_seed(3)
                model = class_of(HEADS, "Typed")[0](double)
                theirs = train(model, cross_entropy, make(model.parameters(), lr=lr, **options, **more), trained_on(knead), How())
                yield f"losses, {words}", run.reported("loss"), theirs.losses, MEAN if more else Bound(bound.most, bound.why)
                yield f"weights, {words}", run.weights(), theirs.weights(), bound

        optimizer = {"type": kind, "lr": lr, **options}
        model = {"source": str(HEADS), "class": "Typed", "args": {"double": double}, "inputs": ["x"]}
        return Case("dtype", {"model": model, "optimizer": optimizer}, check, f"parameters of {name}")

    return [check_of(double) for double in (False, True)]


def cases():
    yield from compare("sgd", 0.1, torch.optim.SGD, {}, {"fused": True})
    yield from compare("sgd", 0.1, torch.optim.SGD, {"momentum": 0.9, "weight_decay": 0.01}, {"fused": True})
    yield from compare("adamw", 0.01, torch.optim.AdamW, {}, {"fused": True})
    yield from compare("adam", 0.01, torch.optim.Adam, {"weight_decay": 0.1, "amsgrad": True}, {"fused": True})
    yield from compare("rmsprop", 0.005, torch.optim.RMSprop, {"momentum": 0.9}, {"foreach": True})
