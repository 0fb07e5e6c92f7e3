"""How samples make steps: sizes that do not divide the data or are no power of two, micro-batches, epochs."""

import torch

from . import samples
from .case import Case, classifier, cross_entropy, trained_on
from .table import DIVIDED, EQUAL, MEAN, NORM, ORDER, ORDER_OF_WEIGHTS
from .training import How, train

OPTIMIZERS = {
    "sgd": ({"type": "sgd", "lr": 0.1, "momentum": 0.9},
            lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, fused=True)),
    "adamw": ({"type": "adamw", "lr": 0.01}, lambda p: torch.optim.AdamW(p, lr=0.01, fused=True)),
}


def compare(kind, size, micro=None, drop_last=False, steps=12):
    recipe, make = OPTIMIZERS[kind]
    sizes = [size] if drop_last else [size, samples.TRAINED % size]
    are_powers = all(each & (each - 1) == 0 for each in sizes)
    weights = ORDER_OF_WEIGHTS if micro else EQUAL if are_powers else DIVIDED

    def check(case, knead):
        run = knead.run(case.changes)
        model = classifier()
        how = How(steps=steps, size=size, drop_last=drop_last)
        theirs = train(model, cross_entropy, make(model.parameters()), trained_on(knead), how)
        yield f"losses of {steps} steps", run.reported("loss"), theirs.losses, ORDER if micro else MEAN
        yield "gradient norms", run.reported("gradient_norm"), theirs.norms, NORM
        yield f"weights after {steps} steps", run.weights(), theirs.weights(), weights

    batch = {"size": size} | ({"micro": micro} if micro else {})
    changes = {"batch": batch, "optimizer": recipe, "data.drop_last": drop_last, "train": f"{steps} steps"}
    return Case("batch", changes, check)


def cases():
    for kind in OPTIMIZERS:
        yield compare(kind, 20)
        yield compare(kind, 1)
        yield compare(kind, 128)
        yield compare(kind, 24, drop_last=True)
        yield compare(kind, 64, drop_last=True)
        yield compare(kind, 64, micro=16)
        yield compare(kind, 60, micro=12)
