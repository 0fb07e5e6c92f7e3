"""Bounds on gradients, and steps that are left out because a loss is not finite."""

import math

import torch
from safetensors.torch import save_file

from .case import Case, classifier, cross_entropy, trained_on
from .table import COEFFICIENT, COUNT, EQUAL, MEAN, NORM, ORDER_OF_WEIGHTS, Bound
from .training import How, train

LOSSES = Bound(1e-6, "means, of weights that differ in their last bits")


def by_norm(most, kind=2.0):
    return lambda parameters: torch.nn.utils.clip_grad_norm_(parameters, most, kind)


def by_value(most):
    return lambda parameters: torch.nn.utils.clip_grad_value_(parameters, most)


def adamw(model):
    return torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)


def sgd(model):
    return torch.optim.SGD(model.parameters(), lr=0.1, fused=True)


def compare(clip, theirs, kind=2.0, optimizer=sgd, changes={}, bound=COEFFICIENT):
    def check(case, knead):
        run = knead.run(case.changes)
        model = classifier()
        trained = train(model, cross_entropy, optimizer(model), trained_on(knead), How(clip=theirs, norm_type=kind))
        yield "losses of 10 steps", run.reported("loss"), trained.losses, LOSSES
        yield "gradient norms before clipping", run.reported("gradient_norm"), trained.norms, NORM
        yield "weights after 10 steps", run.weights(), trained.weights(), bound

    return Case("clip", {"clip": clip} | changes, check)


def left_out(action):
    """A NaN in the samples of the third step."""

    def check(case, knead):
        data = trained_on(knead)
        data["x"] = data["x"].clone()
        data["x"][70, 3] = math.nan
        path = knead.folder / "nan.safetensors"
        save_file({name: data[name].contiguous() for name in ("x", "label")}, path)
        run = knead.run(case.changes | {"data.train.path": str(path)})
        model = classifier()
        is_bad = lambda loss, norm: not math.isfinite(loss) or not math.isfinite(norm)
        trained = train(model, cross_entropy, adamw(model), data, How(steps=16, is_bad=is_bad))
        seen = [a for a in trained.losses if math.isfinite(a)]
        yield f"steps left out: {trained.skipped} of 16", run.reported("skipped")[-1], trained.skipped, COUNT
        yield "losses of the steps that are taken", [a for a in run.reported("loss") if math.isfinite(a)], seen, MEAN
        yield "weights after 16 steps", run.weights(), trained.weights(), EQUAL

    changes = {"non_finite": action, "optimizer": {"type": "adamw", "lr": 0.01}, "train": "16 steps"}
    return Case("non_finite", changes, check, "one sample holds a NaN")


def cases():
    as_adamw = {"optimizer": {"type": "adamw", "lr": 0.01}}
    yield left_out({"action": "skip"})
    yield compare({"norm": 0.3}, by_norm(0.3))
    yield compare({"norm": 0.3}, by_norm(0.3), optimizer=adamw, changes=as_adamw)
    yield compare({"norm": 0.3}, by_norm(0.3), changes={"batch": {"size": 32, "micro": 8}}, bound=ORDER_OF_WEIGHTS)
    yield compare({"norm": 100}, by_norm(100), bound=EQUAL)
    yield compare({"norm": 1.5, "norm_type": 1}, by_norm(1.5, 1.0), 1.0)
    yield compare({"norm": 0.5, "norm_type": 3}, by_norm(0.5, 3.0), 3.0)
    yield compare({"value": 0.02}, by_value(0.02), bound=EQUAL)
    yield compare({"value": 0.02}, by_value(0.02), optimizer=adamw, changes=as_adamw, bound=EQUAL)
    yield compare({"value": 0.02}, by_value(0.02), changes={"batch": {"size": 32, "micro": 4}}, bound=ORDER_OF_WEIGHTS)
    yield compare({"norm": 0.05, "norm_type": math.inf}, by_norm(0.05, math.inf), math.inf)
