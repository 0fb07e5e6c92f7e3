"""The whole table: each case of each kind, line by line."""

import torch

from . import archives, averages, batches, clipping, dtypes, initialisation, losses, metrics, models
from . import optimizers, precision, samples, schedules, table
from .knead import Knead

KINDS = [optimizers, losses, batches, schedules, clipping, averages, precision, models, archives, dtypes, metrics,
         initialisation]


def names():
    return [module.__name__.rsplit(".", 1)[-1] for module in KINDS]


def chosen(kinds, quick):
    """The cases of these kinds; of a quick table each third of a kind."""
    for name, module in zip(names(), KINDS):
        if not kinds or name in kinds:
            yield from list(module.cases())[:: 3 if quick else 1]


def fill(program, folder, kinds=(), quick=False):
    """Prints each line when it is there, and returns all."""
    torch.set_num_threads(1)
    data = folder / "samples"
    data.mkdir()
    samples.make(data)
    knead = Knead(program, data, folder)
    lines = []
    print(table.HEADER)
    for case in chosen(kinds, quick):
        for line in case.lines(knead):
            print(line, flush=True)
            lines.append(line)
    return lines
