"""The learning rates of every schedule, also over steps that do not divide, next to torch.optim.lr_scheduler."""

import math

import torch
import torch.nn.functional as F
from torch.optim import lr_scheduler

from .case import Case, classifier, cross_entropy, sgd, trained_on, validated_on
from .knead import validation
from .table import EQUAL, MEAN, RATE
from .training import How, train

EPOCH = 7  # steps: 200 samples, 32 at a time
LR = 0.1


def by_factor(factor):
    return lambda optimizer: lr_scheduler.LambdaLR(optimizer, factor)


def after_warmup(steps, rest):
    """A rise by (s + 1) / steps, then `rest` from its beginning."""

    def make(optimizer):
        rise = lr_scheduler.LinearLR(optimizer, 1 / steps, 1.0, steps - 1)
        return lr_scheduler.SequentialLR(optimizer, [rise, rest(optimizer)], [steps])

    return make


def in_turn(milestones, *parts):
    return lambda optimizer: lr_scheduler.SequentialLR(optimizer, [part(optimizer) for part in parts], milestones)


def linear(steps, last=0.0):
    return lambda optimizer: lr_scheduler.LinearLR(optimizer, 1.0, last, steps)


def cosine(steps, last=0.0):
    return lambda optimizer: lr_scheduler.CosineAnnealingLR(optimizer, steps, last * LR)


def one_cycle(steps, **options):
    return lambda optimizer: lr_scheduler.OneCycleLR(optimizer, LR, total_steps=steps, cycle_momentum=False, **options)


def constant(optimizer):
    return lr_scheduler.ConstantLR(optimizer, 1.0)


# A recipe's schedule, torch's, and how many steps there are.
SCHEDULES = [
    ({"type": "constant"}, constant, 12),
    ({"type": "constant", "warmup": "5 steps"}, after_warmup(5, constant), 12),
    ({"type": "linear"}, linear(35), 35),
    ({"type": "linear", "min_factor": 0.1, "over": "25 steps"}, linear(25, 0.1), 35),
    ({"type": "linear", "warmup": "1 epoch"}, after_warmup(EPOCH, linear(28)), 35),
    ({"type": "cosine"}, cosine(35), 35),
    ({"type": "cosine", "min_factor": 0.1, "warmup": "20%"}, after_warmup(7, cosine(28, 0.1)), 35),
    ({"type": "polynomial", "power": 2}, lambda o: lr_scheduler.PolynomialLR(o, 35, 2.0), 35),
    ({"type": "polynomial", "power": 0.5, "min_factor": 0.2}, by_factor(lambda s: 0.2 + 0.8 * (1 - s / 35) ** 0.5), 35),
    ({"type": "exponential", "gamma": 0.9, "per": "1 step"}, lambda o: lr_scheduler.ExponentialLR(o, 0.9), 35),
    ({"type": "exponential", "gamma": 0.5, "min_factor": 0.1},
     by_factor(lambda s: max(0.1, 0.5 ** (s / EPOCH))), 35),
    ({"type": "step", "every": "2 epochs"}, lambda o: lr_scheduler.StepLR(o, 2 * EPOCH), 35),
    ({"type": "step", "every": "4 steps", "gamma": 0.7}, lambda o: lr_scheduler.StepLR(o, 4, 0.7), 35),
    ({"type": "multistep", "milestones": ["5 steps", "2 epochs", "80%"], "gamma": 0.3},
     lambda o: lr_scheduler.MultiStepLR(o, [5, 14, 28], 0.3), 35),
    ({"type": "inverse_sqrt", "warmup": "5 steps"},
     by_factor(lambda s: (s + 1) / 5 if s < 5 else math.sqrt(5 / s)), 35),
    ({"type": "one_cycle"}, one_cycle(35, div_factor=25, final_div_factor=400), 35),
    ({"type": "one_cycle", "peak_at": "10%", "start": 0.1, "min_factor": 0.01},
     one_cycle(33, pct_start=0.1, div_factor=10, final_div_factor=10), 33),
    ({"type": "one_cycle", "peak_at": "50%"}, one_cycle(10, pct_start=0.5, final_div_factor=400), 10),
    ({"type": "wsd", "warmup": "4 steps", "decay": "20%"},
     in_turn([4, 28], lambda o: lr_scheduler.LinearLR(o, 1 / 4, 1.0, 3), constant, linear(7)), 35),
    ({"type": "wsd", "decay": "11 steps", "shape": "cosine", "min_factor": 0.1},
     in_turn([24], constant, cosine(11, 0.1)), 35),
    ({"type": "wsd", "decay": "10 steps", "shape": "sqrt"},
     by_factor(lambda s: 1.0 if s < 25 else 1 - math.sqrt((s - 25) / 10)), 35),
    ({"type": "phases", "phases": [{"shape": "linear", "for": "5 steps", "from": 0.2, "to": 1},
                                   {"shape": "constant", "for": "10 steps"}, {"shape": "cosine", "to": 0.25}]},
     # What rises is as a warm-up: its first step is one above where it comes from.
     in_turn([5, 15], lambda o: lr_scheduler.LinearLR(o, 0.36, 1.0, 4), constant, cosine(20, 0.25)), 35),
    ({"type": "phases", "phases": [{"shape": "exponential", "for": "20 steps", "to": 0.1}, {"shape": "sqrt", "to": 0}]},
     by_factor(lambda s: 0.1 ** (s / 20) if s < 20 else 0.1 * (1 - math.sqrt((s - 20) / 15))), 35),
]


def rates(numbers):
    """As a tensor, so that rates near 0 are measured by the largest."""
    return torch.tensor(numbers, dtype=torch.float64)


def compare(schedule, theirs, steps):
    def check(case, knead):
        run = knead.run(case.changes)
        model = classifier()
        how = How(steps=steps, schedule=theirs)
        trained = train(model, cross_entropy, sgd(model), trained_on(knead), how)
        yield f"learning rates of {steps} steps", rates(run.reported("lr")), rates(trained.rates), RATE
        yield f"losses of {steps} steps", run.reported("loss"), trained.losses, MEAN

    return Case("schedule", {"schedule": schedule, "train": f"{steps} steps"}, check)


def plateau(options, theirs, every=3, steps=40):
    """A rate that kills learning, so that evaluations stop getting better."""

    def check(case, knead):
        run = knead.run(case.changes | {"data.validation": validation(knead.samples, {"x": "x", "y": "label"})})
        model, data = classifier(), validated_on(knead)

        def measure(model):
            parts = zip(data["x"].split(32), data["label"].split(32))
            return sum(F.cross_entropy(model(x), y, reduction="sum").item() for x, y in parts) / len(data["x"])

        how = How(steps=steps, plateau=theirs, evaluate=(every, measure))
        optimizer = torch.optim.SGD(model.parameters(), lr=1.5)
        trained = train(model, cross_entropy, optimizer, trained_on(knead), how)
        yield f"learning rates of {steps} steps", rates(run.reported("lr")), rates(trained.rates), RATE
        yield "how often the rate falls", float(len(set(run.reported("lr")))), float(len(set(trained.rates))), EQUAL
        yield "validation losses", run.evaluated(), trained.evaluations, MEAN

    changes = {"optimizer.lr": 1.5, "schedule": {"type": "plateau", **options}, "train": f"{steps} steps",
               "evaluate": f"{every} steps"}
    return Case("schedule", changes, check)


def falling(gamma, patience, **options):
    return lambda optimizer: lr_scheduler.ReduceLROnPlateau(
        optimizer, "min", gamma, patience - 1, threshold_mode="abs", eps=0, **options)


def cases():
    yield from (compare(*each) for each in SCHEDULES)
    yield plateau({"patience": "1 evaluations", "gamma": 0.5}, falling(0.5, 1, threshold=0))
    yield plateau({"patience": "2 evaluations", "gamma": 0.1, "min_delta": 0.01, "min_factor": 0.05},
                  falling(0.1, 2, threshold=0.01, min_lr=0.075))
