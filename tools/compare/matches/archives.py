"""TorchScript archives of every kind of model, scripted and traced, trained on by knead and by Python."""

import torch

from .knead import ROOT
from .models import Model, compare, compare_stopped

ARCHIVES = ROOT / "tests/fixtures/archives"
SCRIPTED = ("attention", "convolution", "gru", "lstm", "own_lists", "tied")
TRACED = ("convolution", "lstm")


class Archive(Model):
    kind = "archive"

    def __init__(self, name):
        lists = name == "scripted_own_lists"
        super().__init__(str(ARCHIVES / f"{name}.pt"), name, ("x",), "value", "mse", keeps_lists=lists)

        self.draws = name == "traced_lstm"  # dropout as it was traced

    def make(self):
        return torch.jit.load(self.file)

    def train(self, program, **how):
        # Python's executor otherwise takes other formulas for backward, whose last bits differ.
        with torch.jit.optimized_execution(False):
            return super().train(program, **how)

    def changes(self):
        return super().changes() | {"model": {"archive": self.file, "inputs": list(self.inputs)}}


def cases():
    for name in [*(f"scripted_{each}" for each in SCRIPTED), *(f"traced_{each}" for each in TRACED)]:
        yield compare(Archive(name))
        yield compare_stopped(Archive(name))
