"""A case: what is changed of the base recipe, and what is then compared."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F

from . import knead, samples, table, training

Compared = Iterator[tuple[str, Any, Any, table.Bound]]  # what, knead's, theirs, how far they may be apart


@dataclass
class Case:
    kind: str
    changes: dict
    check: Callable[["Case", knead.Knead], Compared]
    note: str = ""  # beside the changes

    def lines(self, program):
        changes = [f"{key}={knead.in_words(value)}" for key, value in self.changes.items()]
        words = ", ".join(changes + ([self.note] if self.note else []))
        try:
            for compared, ours, theirs, bound in self.check(self, program):
                yield table.Line(self.kind, words, compared, *table.apart(ours, theirs), bound)
        except knead.Failed as failure:
            yield table.Line(self.kind, words, "the run itself", 0, 0, table.EQUAL, str(failure))


def trained_on(program):
    return samples.load(program.samples / "train.safetensors")


def validated_on(program):
    return samples.load(program.samples / "validation.safetensors")


def source_model(file, name, seed=3, **arguments):
    """A class of a file in the repository, with the initial weights of a seed."""
    torch.manual_seed(seed)
    return training.class_of(knead.ROOT / file, name)[0](**arguments)


def classifier(seed=3):
    """The model of the base recipe."""
    return source_model("models/mlp.py", "MLP", seed, inputs=10, hidden=[16, 8], outputs=4)


def cross_entropy(output, batch):
    return F.cross_entropy(output, batch["label"])


def sgd(model):
    """The optimizer of the base recipe."""
    return torch.optim.SGD(model.parameters(), lr=0.1)


def flow(**options):
    """A block of a recipe: tuples are lists there."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in options.items()}
