"""What knead and its peers train: the same data, initial weights and batches."""
import csv
import importlib.util
import math
import pathlib
import sys
from dataclasses import dataclass
from typing import Any, Callable

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset, TensorDataset

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclass
class Workload:
    model: nn.Module
    train: Dataset
    batch: int
    loss: Callable[[Any, Any], Any]
    groups: list  # of the optimizer
    options: dict  # of AdamW
    schedule: Callable[[int], float] = lambda step: 1.0
    clip: float | None = None
    validation: Dataset | None = None
    checkpoint_each_epoch: bool = False


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "models" / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)  # torch.compile looks for it there
    spec.loader.exec_module(module)
    return module


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return torch.tensor([[float(cell) for cell in row] for row in csv.reader(file)])


def digits(_data):
    rows = rows_of(ROOT / "recipes/data/digits.csv")
    pixels, digit = rows[:, :64] * 0.0625, rows[:, 64].long()
    torch.manual_seed(0)
    model = load("mlp").MLP(64, [128, 64], 10)
    return Workload(model, TensorDataset(pixels[:1500], digit[:1500]), 32, F.cross_entropy, [model.parameters()],
                    {"lr": 1e-3}, validation=TensorDataset(pixels[1500:], digit[1500:]), checkpoint_each_epoch=True)


def tiny(data):
    rows = rows_of(data)
    torch.manual_seed(0)
    model = load("mlp").MLP(16, [16], 1)
    return Workload(model, TensorDataset(rows[:, :16], rows[:, 16:]), 1, F.mse_loss, [model.parameters()], {"lr": 1e-3})


class Windows(Dataset):
    """Tokens (64) and the targets that follow them (64), one window behind the other."""

    def __init__(self, tokens, context):
        self.tokens, self.context = tokens, context

    def __len__(self):
        return (len(self.tokens) - 1) // self.context

    def __getitem__(self, i):
        cut = self.tokens[i * self.context : (i + 1) * self.context + 1]
        return cut[:-1], cut[1:]


def factor(step):
    """Of the learning rate: a warm-up of 100 steps, then a cosine of 2,000 down to a tenth."""
    if step < 100:
        return (step + 1) / 100
    return 0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * (step - 100) / (2000 - 100)))


def language_model(config, tokens, batch, options):
    module = load("gpt")
    torch.manual_seed(0)
    model = module.GPT(module.GPTConfig(**config))
    matrices = [p for p in model.parameters() if p.dim() >= 2]
    others = [p for p in model.parameters() if p.dim() < 2]
    return Workload(model, Windows(tokens, config["context"]), batch,
                    lambda logits, targets: F.cross_entropy(logits.flatten(0, 1), targets.flatten()),
                    [{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}],
                    options, schedule=factor, clip=1.0)


def gpt(data):
    text = pathlib.Path(data).read_text(encoding="utf-8")
    number = {character: i for i, character in enumerate(sorted(set(text)))}
    tokens = torch.tensor([number[character] for character in text])
    return language_model(dict(vocab=65, context=64, layers=4, heads=4, width=128), tokens, 12,
                          {"lr": 1e-3, "betas": (0.9, 0.99)})


def make(name, data):
    return {"digits": digits, "tiny": tiny, "gpt": gpt}[name](data)


def loader(workload, dataset):
    return DataLoader(dataset, batch_size=workload.batch)


def optimizer(workload):
    groups = [group if isinstance(group, dict) else {"params": group} for group in workload.groups]
    return torch.optim.AdamW(groups, fused=True, **workload.options)


def evaluate(workload, model):
    model.eval()
    with torch.no_grad():
        right = sum((model(x).argmax(1) == y).sum().item() for x, y in loader(workload, workload.validation))
    model.train()
    return right / len(workload.validation)
