"""Weights go to Python and back: what knead exports, torch.load reads and the class takes; what Python saves, knead trains.

usage: weights_test.py KNEAD ROOT
"""

import importlib.util
import pathlib
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file, save_file

TIED = """from torch import nn


class Tied(nn.Module):
    def __init__(self, tie: bool = True):
        super().__init__()
        self.first = nn.Linear(64, 16)
        self.second = nn.Linear(64, 16)
        if tie:
            self.second.weight = self.first.weight
        self.norm = nn.BatchNorm1d(16)
        self.head = nn.Linear(16, 10)

    def forward(self, x):
        return self.head(self.norm(self.first(x) + self.second(x)))
"""

RECIPE = """
version: 1
name: {name}
output: {folder}
model: {{source: {source}, class: Tied, args: {args}{more}}}
data:
  train:
    type: csv
    path: {root}/recipes/data/digits.csv
    fields: {{pixels: {{columns: "0:64", scale: 0.0625}}, digit: {{columns: 64, dtype: int64}}}}
    rows: [0, 320]
  validation: {{like: train, rows: [320, 400]}}
loss: {{type: cross_entropy, target: digit}}
batch: 32
optimizer: {{type: adamw, lr: 1e-3}}
train: 4 steps
threads: 1
"""


def tied_model(file):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Tied


class Runner:
    def __init__(self, knead, root, folder):
        self.knead, self.root, self.folder = knead, root, folder

    def __call__(self, *words):
        result = subprocess.run([self.knead, *words], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        return result.stderr

    def recipe(self, name, source, args, more=""):
        file = self.folder / f"{name}.yaml"
        file.write_text(RECIPE.format(root=self.root, name=name, folder=self.folder, source=source, args=args, more=more))
        return file

    def export(self, name, form, file):
        self("export", "--to", form, self.folder / name, self.folder / file)
        return self.folder / file


def check_out(run, source):
    """What is exported is read by torch.load as weights only, mapped or not, and fits the class."""
    run("run", run.recipe("out", source, "{}"))
    file = run.export("out", "torch", "out.pt")
    state = torch.load(file, weights_only=True)
    mapped = torch.load(file, weights_only=True, mmap=True)
    flat = load_file(run.export("out", "safetensors", "out.safetensors"))
    assert state["first.weight"].data_ptr() == state["second.weight"].data_ptr()
    assert all(torch.equal(state[key], mapped[key]) for key in state)
    assert all(torch.equal(state[key], flat[key]) for key in flat)
    model = tied_model(source)()
    model.load_state_dict(state, strict=True)
    archive = torch.jit.load(run.export("out", "torchscript", "out-archive.pt"))
    inputs = torch.rand(5, 64)
    assert torch.equal(model.eval()(inputs), archive.eval()(inputs))
    print(f"{len(state)} tensors go to Python")


def trained(run, name, source, more):
    """The weights after a few steps of a recipe."""
    run("run", run.recipe(name, source, "{}", more))
    return torch.load(run.export(name, "torch", f"{name}.pt"), weights_only=True)


def check_in(run, source):
    """What Python saves, in each of its forms, is what a run begins with: what is frozen comes out again."""
    torch.manual_seed(11)
    model = tied_model(source)()
    state = model.state_dict()
    forms = {
        "plain": (state, ""),
        "nested": ({"state_dict": state, "epoch": 3}, ""),
        "prefixed": ({f"module.{key}": value for key, value in state.items()},
                     ", rename: [{match: '^module\\.', with: ''}]"),
        "half": ({key: value.half() if value.is_floating_point() else value for key, value in state.items()}, ""),
    }
    kept = ["first.weight", "head.weight", "head.bias"]
    for name, (saved, more) in forms.items():
        file = run.folder / f"in-{name}.pt"
        torch.save(saved, file)
        options = f", weights: {{from: {file}{more}}}, freeze: [first.weight, 'head.*']"
        out = trained(run, f"in-{name}", source, options)
        for key in kept:
            expected = state[key].half().float() if name == "half" else state[key]
            assert torch.equal(out[key], expected), (name, key)
        assert not torch.equal(out["first.bias"], state["first.bias"]), name
    print(f"{len(forms)} forms come from Python")


def check_safetensors(run, source):
    torch.manual_seed(12)
    state = tied_model(source)(tie=False).state_dict()
    save_file({key: value.contiguous() for key, value in state.items()}, run.folder / "in.safetensors")
    options = f", weights: {run.folder / 'in.safetensors'}, freeze: ['*.weight', '*.bias']"
    recipe = run.recipe("in-all", source, "{tie: false}", options)
    refused = subprocess.run([run.knead, "plan", recipe], capture_output=True, text=True)
    assert refused.returncode == 2 and "leaves no parameter to train" in refused.stderr, refused.stderr
    refused = subprocess.run([run.knead, "plan", recipe, "model.args.tie=true", "model.freeze=null"], capture_output=True, text=True)
    assert refused.returncode == 3 and "are one tensor in the model, and differ in the file" in refused.stderr, refused.stderr
    print("what is not meant is refused")


def main():
    knead, root = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = folder / "tied.py"
        source.write_text(TIED)
        run = Runner(knead, root, folder)
        check_out(run, source)
        check_in(run, source)
        check_safetensors(run, source)


main()
