"""Every metric next to scikit-learn. The model gives back the scores of the data, with ties among them."""

import math

import numpy
import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from sklearn import metrics as sk

from .case import Case
from .losses import HEADS
from .table import SCORE, Bound

COUNT = 150
LIKELIHOOD = Bound(1e-7, "log-probabilities in float32, added in float64")
ROUNDED = Bound(1e-9, "scores in float32; softmax in float64")


def scores():
    """Fields of sets with what is right of them."""
    generator = torch.Generator().manual_seed(7)
    draw = lambda *shape: torch.randn(COUNT, *shape, generator=generator)
    kinds = lambda most, *shape: torch.randint(0, most, (COUNT, *shape), generator=generator)
    many = kinds(5)
    many[many == 3] = 1  # a class that never comes
    yes = kinds(2)
    several = (draw(3) > 0.4).float()
    value = draw() * 3 + 100
    values = draw(3) * torch.tensor([1.0, 10.0, 0.1])
    return {
        "classes": (F.one_hot(many, 5) * 1.2 + draw(5)).round(decimals=1), "class": many,
        "gaps": torch.where(kinds(5) == 0, -1, many),
        "two": (F.one_hot(yes, 2) + draw(2)).round(decimals=1), "second": yes,
        "logit": ((yes * 2 - 1) * 0.7 + draw()).round(decimals=1), "is": yes.float(),
        "share": ((yes * 2 - 1) * 0.7 + draw()).sigmoid(),
        "labels": (several * 1.5 - 0.7 + draw(3)).round(decimals=1), "several": several,
        "places": draw(4, 6), "place": kinds(4, 6),
        "guess": value + draw(), "value": value, "guesses": values + draw(3), "values": values,
    }


def compare(given, right, loss, wanted):
    """`wanted`: for each metric as a recipe says it, what scikit-learn makes of scores and what is right."""
    named = [{**metric, "name": f"m{i}"} for i, (metric, _, _) in enumerate(wanted)]

    def check(case, knead):
        path, data = knead.folder / "scores.safetensors", scores()
        save_file({name: tensor.contiguous() for name, tensor in data.items()}, path)
        fields = {"scores": given, "y": right}
        one = {"type": "safetensors", "path": str(path), "fields": fields}
        run = knead.run({
            "model": {"source": str(HEADS), "class": "Same", "inputs": ["scores"]},
            "data.train": one, "data.validation": one,
            "loss": loss | {"target": "y"}, "optimizer.lr": 1e-30, "train": "1 steps",
            "evaluate": {"metrics": named, "batch": 37},
        })
        output, target = data[given].double().numpy(), data[right].numpy()
        for i, (metric, judge, bound) in enumerate(wanted):
            words = ", ".join(f"{key} {value}" for key, value in metric.items() if key != "type")
            yield " ".join([metric["type"], words]).strip(), run.evaluated(f"m{i}"), [judge(output, target)], bound

    return Case("metric", {"data.train.fields": {"scores": given, "y": right}, "loss": loss}, check)


def seen(function, average):
    """A macro average over the classes that are right or guessed at least once, as scikit-learn's own."""
    def of(output, target):
        keep = target != -1
        return function(target[keep], output.argmax(1)[keep], average=average, zero_division=0)

    return of


def at(threshold, function, **options):
    return lambda output, target: function(target, output > threshold, **options)


def top(k):
    """Among equal scores the class of the lower number is before the other."""

    def of(output, target):
        keep = target != -1
        order = numpy.argsort(-output[keep], axis=1, kind="stable")
        return float((order[:, :k] == target[keep][:, None]).any(1).mean())

    return of


def softmax(output):
    return F.softmax(torch.from_numpy(output), 1).numpy()


def auroc(average):
    """Over the classes that are right of some items, and not of all."""

    def of(output, target):
        keep = target != -1
        shares, right = softmax(output[keep]), target[keep]
        there = [each for each in range(shares.shape[1]) if (right == each).any()]
        areas = [sk.roc_auc_score(right == each, shares[:, each]) for each in there]
        weights = [(right == each).sum() for each in there] if average == "weighted" else None
        return float(numpy.average(areas, weights=weights))

    return of


def log_loss(output, target):
    keep = target != -1
    return sk.log_loss(target[keep], softmax(output[keep]), labels=range(output.shape[1]))


AVERAGED = [("f1", sk.f1_score), ("precision", sk.precision_score), ("recall", sk.recall_score)]


def of_classes():
    accuracy = lambda output, target: sk.accuracy_score(target[target != -1], output.argmax(1)[target != -1])
    yield {"type": "accuracy"}, accuracy, SCORE
    yield {"type": "accuracy", "top": 2}, top(2), SCORE
    yield {"type": "accuracy", "top": 3}, top(3), SCORE
    for kind, function in AVERAGED:
        yield {"type": kind}, seen(function, "macro"), SCORE
        for average in ("macro", "micro", "weighted"):
            yield {"type": kind, "average": average}, seen(function, average), SCORE
    yield {"type": "auroc"}, auroc("macro"), ROUNDED
    yield {"type": "auroc", "average": "weighted"}, auroc("weighted"), ROUNDED
    yield {"type": "perplexity"}, lambda o, t: math.exp(log_loss(o, t)), LIKELIHOOD
    yield {"type": "bits_per_byte", "bytes_per_token": 4.2}, lambda o, t: log_loss(o, t) / math.log(2) / 4.2, LIKELIHOOD


def of_two():
    yield {"type": "accuracy"}, lambda o, t: sk.accuracy_score(t, o.argmax(1)), SCORE
    for kind, function in AVERAGED:
        yield {"type": kind}, seen(function, "binary"), SCORE
        yield {"type": kind, "average": "macro"}, seen(function, "macro"), SCORE
    yield {"type": "auroc"}, lambda o, t: sk.roc_auc_score(t, o[:, 1] - o[:, 0]), SCORE


def of_one(threshold):
    more = {"threshold": threshold} if threshold else {}
    yield {"type": "accuracy", **more}, at(threshold, sk.accuracy_score), SCORE
    for kind, function in AVERAGED:
        yield {"type": kind, **more}, at(threshold, function), SCORE
    yield {"type": "f1", "average": "macro", **more}, at(threshold, sk.f1_score, average="macro"), SCORE
    yield {"type": "auroc"}, lambda o, t: sk.roc_auc_score(t, o), SCORE


def of_labels():
    yield {"type": "accuracy"}, lambda o, t: ((o > 0) == t).mean(), SCORE
    for kind, function in AVERAGED:
        for average in ("macro", "micro", "weighted"):
            yield {"type": kind, "average": average}, at(0, function, average=average, zero_division=0), SCORE
    yield {"type": "auroc"}, lambda o, t: sk.roc_auc_score(t, o), SCORE
    yield {"type": "auroc", "average": "weighted"}, lambda o, t: sk.roc_auc_score(t, o, average="weighted"), SCORE


def flat(function):
    """Of scores (N, C, d): one item for each of N × d places."""
    return lambda o, t: function(numpy.moveaxis(o, 1, -1).reshape(-1, o.shape[1]), t.reshape(-1))


def of_numbers():
    for kind, function in [("mae", sk.mean_absolute_error), ("mse", sk.mean_squared_error),
                           ("rmse", lambda t, o: math.sqrt(sk.mean_squared_error(t, o))), ("r2", sk.r2_score)]:
        yield {"type": kind}, lambda o, t, function=function: function(t.astype(float), o), Bound(1e-12, "float64")


def cases():
    cross_entropy = {"type": "cross_entropy"}
    yield compare("classes", "class", cross_entropy, list(of_classes()))
    yield compare("classes", "gaps", cross_entropy | {"ignore_index": -1}, list(of_classes()))
    yield compare("two", "second", cross_entropy, list(of_two()))
    places = [(metric, flat(judge), bound) for metric, judge, bound in of_classes()]
    yield compare("places", "place", cross_entropy, places)
    yield compare("logit", "is", {"type": "bce_with_logits"}, list(of_one(0)))
    yield compare("share", "is", {"type": "bce_with_logits"}, list(of_one(0.5)))
    yield compare("labels", "several", {"type": "bce_with_logits"}, list(of_labels()))
    yield compare("guess", "value", {"type": "mse"}, list(of_numbers()))
    yield compare("guesses", "values", {"type": "mse"}, list(of_numbers()))
