"""Averages of weights: when they take weights in, what is evaluated and exported, next to torch.optim.swa_utils."""

import torch
import torch.nn.functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from .case import Case, cross_entropy, source_model, trained_on, validated_on
from .knead import ROOT, validation
from .table import EQUAL, MEAN, RUNNING
from .training import How, train


def ema(decay):
    return lambda model: AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(decay))


def swa(model):
    return AveragedModel(model)


def with_norm():
    """Batch norm's statistics are not averaged."""
    return source_model("models/cnn.py", "CNN", channels=1, widths=[6], classes=4)


def compare(average, theirs, follows, steps=18):
    def check(case, knead):
        fields = {"image": "image", "y": "label"}
        last = {"checkpoint.keep": {"last": 1, "best": 0}}  # what is evaluated afterwards
        run = knead.run(case.changes | last | {"data.validation": validation(knead.samples, fields)})
        model, data = with_norm(), validated_on(knead)

        def measure(model):
            parts = zip(data["image"].split(32), data["label"].split(32))
            return sum(F.cross_entropy(model(x), y, reduction="sum").item() for x, y in parts) / len(data["image"])

        optimizer = torch.optim.AdamW(model.parameters(), lr=0.02, fused=True)
        how = How(steps=steps, inputs=("image",), average=theirs, follows=follows, evaluate=(4, measure))
        trained = train(model, cross_entropy, optimizer, trained_on(knead), how)
        yield "losses of 18 steps", run.reported("loss"), trained.losses, MEAN
        yield "weights in training", run.saved("model"), trained.weights(), EQUAL
        yield "averages that are exported", run.weights(), trained.averages(), RUNNING
        yield "validation losses each 4 steps", run.evaluated(), trained.evaluations, MEAN
        yield "`knead evaluate`", knead.evaluate(run, "train")["loss"], of_set(trained, trained_on(knead)), MEAN

    model = {"source": str(ROOT / "models/cnn.py"), "args": {"channels": 1, "widths": [6], "classes": 4}}
    changes = {"average": average, "model": model, "data.train.fields": {"image": "image", "y": "label"},
               "optimizer": {"type": "adamw", "lr": 0.02}, "train": f"{steps} steps", "evaluate": "4 steps"}
    return Case("average", changes, check)


@torch.no_grad()
def of_set(trained, data):
    """The mean loss by the averages, with the statistics of the training."""
    model = with_norm()
    model.load_state_dict(trained.averages())
    model.eval()
    parts = zip(data["image"].split(32), data["label"].split(32))
    return sum(F.cross_entropy(model(x), y, reduction="sum").item() for x, y in parts) / len(data["image"])


def cases():
    yield compare({"type": "ema", "decay": 0.9}, ema(0.9), lambda step: True)
    yield compare({"type": "ema"}, ema(0.999), lambda step: True)
    yield compare({"type": "ema", "decay": 0.5, "every": "3 steps"}, ema(0.5), lambda step: step % 3 == 0)
    yield compare({"type": "ema", "decay": 0.8, "start": "5 steps"}, ema(0.8), lambda step: step >= 5)
    yield compare({"type": "swa", "every": "1 step", "start": "0 steps"}, swa, lambda step: True)
    yield compare({"type": "swa", "every": "2 steps", "start": "50%"}, swa, lambda step: step >= 9 and step % 2 == 0)
    yield compare({"type": "swa", "every": "1 epoch", "start": "10 steps"}, swa, lambda step: step == 14)
