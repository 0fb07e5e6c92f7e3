"""Weights go to Python and back: what knead exports, torch.load reads and the class takes; what Python saves, knead trains.

usage: weights_test.py KNEAD ROOT
"""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from huggingface_hub import load_torch_model
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


def check_shards(run, source):
    """The weights that two ranks have saved are read by Hugging Face's reader of sharded checkpoints, and by a run."""
    more = "}\ndistributed: {ranks: 2, strategy: zero2}\naverage: {type: ema, decay: 0.5"
    run("run", run.recipe("shards", source, "{}", more))
    checkpoint = run.folder / "shards" / "checkpoints" / "step-00000004"
    model = tied_model(source)()
    keys = load_torch_model(model, checkpoint)
    assert keys.unexpected_keys == [] and keys.missing_keys == ["second.weight"], keys  # which is tied to another
    index = json.loads((checkpoint / "model.safetensors.index.json").read_text())
    parts = {file: load_file(checkpoint / file) for file in sorted(set(index["weight_map"].values()))}
    assert list(parts) == [f"model-0000{number}-of-00002.safetensors" for number in (1, 2)]
    assert all(name in parts[file] for name, file in index["weight_map"].items())
    assert index["metadata"]["total_size"] == sum(value.nbytes for part in parts.values() for value in part.values())
    state = model.state_dict()
    assert all(torch.equal(state[name], value) for part in parts.values() for name, value in part.items())
    averages = torch.load(run.export("shards", "torch", "shards.pt"), weights_only=True)
    assert not torch.equal(averages["head.weight"], state["head.weight"])
    begun = trained(run, "begun", source, f", weights: {run.folder / 'shards'}, freeze: ['*.weight']")
    assert torch.equal(begun["head.weight"], averages["head.weight"])
    print("shards go to Python, and averages in pieces to other runs")


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
        check_shards(run, source)


main()
