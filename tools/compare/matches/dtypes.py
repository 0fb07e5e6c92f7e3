"""Models whose parameters are bfloat16 or float64, as their source says."""

import torch

from .case import Case, cross_entropy, trained_on
from .losses import HEADS
from .table import EQUAL, MEAN, Bound
from .training import How, class_of, train

# A bfloat16 has eight bits: its rounding is 4e-3, once or more in each step.
OTHER_KERNEL = {"bfloat16": Bound(3e-2, "bfloat16, rounded elsewhere in ten steps"),
                "float64": Bound(1e-12, "float64, another kernel")}


def compare(kind, lr, make, options, kernels, kernels_of_halves):
    """The kernels are those that knead takes for float64, and for bfloat16."""

    def check_of(double):
        name = "float64" if double else "bfloat16"

        def check(case, knead):
            run = knead.run(case.changes)
            same = kernels if double else kernels_of_halves
            for words, more in [("torch by default", {}), (f"torch with {next(iter(same))}=True", same)]:
                bound = EQUAL if more else OTHER_KERNEL[name]
                torch.manual_seed(3)
                model = class_of(HEADS, "Typed")[0](double)
                optimizer = make(model.parameters(), lr=lr, **options, **more)
                theirs = train(model, cross_entropy, optimizer, trained_on(knead), How())
                yield f"losses, {words}", run.reported("loss"), theirs.losses, MEAN if more else bound
                yield f"weights, {words}", run.weights(), theirs.weights(), bound

        recipe = {"type": kind, "lr": lr, **options}
        model = {"source": str(HEADS), "class": "Typed", "args": {"double": double}, "inputs": ["x"]}
        return Case("dtype", {"model": model, "optimizer": recipe}, check, f"parameters of {name}")

    return [check_of(double) for double in (False, True)]


def cases():
    fused, foreach = {"fused": True}, {"foreach": True}
    # The fused SGD of PyTorch 2.11 for CPUs leaves most numbers of a bfloat16 tensor unchanged.
    yield from compare("sgd", 0.1, torch.optim.SGD, {}, fused, foreach)
    yield from compare("sgd", 0.1, torch.optim.SGD, {"momentum": 0.9, "weight_decay": 0.01}, fused, foreach)
    yield from compare("adamw", 0.01, torch.optim.AdamW, {}, fused, fused)
    yield from compare("adam", 0.01, torch.optim.Adam, {"weight_decay": 0.1, "amsgrad": True}, fused, fused)
    yield from compare("rmsprop", 0.005, torch.optim.RMSprop, {"momentum": 0.9}, foreach, foreach)
