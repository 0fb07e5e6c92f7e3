"""A trial as one would write it by hand for Optuna: no knead in here.

usage: objective.py STORAGE TRIALS DATA    STORAGE: the file of a journal, or - for one process
"""
import csv
import functools
import sys

import torch
from torch import nn
from torch.nn import functional as F


@functools.cache
def data(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = [[float(cell) for cell in row] for row in csv.reader(file)]
    table = torch.tensor(rows)
    return table[:, :64] * 0.0625, table[:, 64].long()


def train(rate, decay, inputs, targets):
    model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10))
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=decay)
    order = torch.randperm(1500)
    for step in range(10):
        batch = order[step * 32 : step * 32 + 32]
        optimizer.zero_grad()
        F.cross_entropy(model(inputs[batch]), targets[batch]).backward()
        optimizer.step()
    with torch.no_grad():
        return F.cross_entropy(model(inputs[1500:]), targets[1500:]).item()


def main(storage, trials, path):
    import optuna

    torch.set_num_threads(1)
    inputs, targets = data(path)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    shared = None
    if storage != "-":
        shared = optuna.storages.JournalStorage(optuna.storages.journal.JournalFileBackend(storage))
    study = optuna.create_study(study_name="digits", storage=shared, load_if_exists=True,
                                sampler=optuna.samplers.RandomSampler())
    study.optimize(lambda trial: train(trial.suggest_float("lr", 1e-4, 1e-2, log=True),
                                       trial.suggest_float("weight_decay", 0.0, 0.1), inputs, targets), n_trials=trials)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
