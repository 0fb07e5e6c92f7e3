"""Drives knead: recipes are made of a small base and what a case changes of it; runs go to a temporary folder."""

import json
import pathlib
import subprocess
from dataclasses import dataclass

import numpy
import torch
from safetensors import safe_open

ROOT = pathlib.Path(__file__).resolve().parents[3]
STOPPED = 75


class Failed(Exception):
    """knead ended otherwise than it should."""


def base_recipe(samples):
    """A classifier of four classes, ten steps of 32 samples; the seventh step has 8, the last of an epoch of 200."""
    return {
        "version": 1,
        "name": "case",
        "seed": 3,
        "threads": 1,
        "model": {"source": str(ROOT / "models/mlp.py"), "args": {"inputs": 10, "hidden": [16, 8], "outputs": 4}},
        "data": {
            "train": {"type": "safetensors", "path": str(samples / "train.safetensors"),
                      "fields": {"x": "x", "y": "label"}},
            "shuffle": False,
        },
        "loss": {"type": "cross_entropy", "target": "y"},
        "batch": {"size": 32},
        "optimizer": {"type": "sgd", "lr": 0.1},
        "train": "10 steps",
        "track": {"every": "1 step"},
        "export": {"to": ["safetensors"], "weights": "last"},
    }


def validation(samples, fields):
    return {"type": "safetensors", "path": str(samples / "validation.safetensors"), "fields": fields}


def changed(recipe, changes):
    """A copy with `{"optimizer.lr": 0.1}` and the like put in."""
    recipe = json.loads(json.dumps(recipe))
    for key, value in changes.items():
        *blocks, last = key.split(".")
        place = recipe
        for block in blocks:
            place = place.setdefault(block, {})
        place[last] = value
    return recipe


def in_words(value):
    """As on one line of YAML, paths shortened to the names of files."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {in_words(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(in_words(each) for each in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    text = " ".join(str(value).split())
    return text.rsplit("/", 1)[-1] if text.startswith("/") else text


def number(value):
    """JSON has no NaN: journals hold the word."""
    return float(value) if isinstance(value, str) else value


@dataclass
class Run:
    """A run's folder."""

    folder: pathlib.Path

    def lines(self, name):
        path = self.folder / name
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def reported(self, key):
        return [number(line[key]) for line in self.lines("metrics.jsonl")]

    def evaluated(self, key="loss", name="validation"):
        return [number(line[key]) for line in self.lines("evaluations.jsonl") if line["set"] == name]

    def weights(self):
        """What the run exported: the averages where there are any."""
        return tensors_of(self.folder / "export/model.safetensors")

    def saved(self, name="model"):
        """A file of the last checkpoint; `model` holds the weights in training."""
        last = sorted((self.folder / "checkpoints").glob("step-*"))[-1]
        return tensors_of(last / f"{name}.safetensors")


def tensors_of(path):
    """With both names of a tensor that has two."""
    with safe_open(path, framework="pt") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}
        aliases = file.metadata() or {}
    for alias, name in aliases.items():
        if alias.startswith("alias:"):
            tensors[alias.removeprefix("alias:")] = tensors[name]
    return tensors


class Knead:
    def __init__(self, program, samples, folder):
        self.program, self.samples, self.folder = pathlib.Path(program).resolve(), samples, folder
        self.count = 0

    def call(self, *command, expected=0):
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if result.returncode != expected:
            said = " ".join((result.stderr or result.stdout).split())
            raise Failed(f"exit code {result.returncode}: {said[:400]}")
        return result.stdout

    def run(self, changes, stops=(), expected=0):
        """Trains; `stops` are steps to be stopped after, each followed by a new process."""
        self.count += 1
        name = f"case-{self.count:03}"
        recipe = self.folder / f"{name}.yaml"
        text = json.dumps(changed(base_recipe(self.samples), changes), indent=1)
        recipe.write_text(text.replace("Infinity", ".inf"))  # JSON is YAML, but for this
        where = [f"output={self.folder}", f"name={name}"]
        for stop in stops:
            engine = self.program.with_name("knead-engine")
            self.call(engine, "run", recipe, f"--stop-after={stop}", "--", *where, expected=STOPPED)
        self.call(self.program, "run", recipe, *where, expected=expected)
        return Run(self.folder / name)

    def predict(self, run, data="validation"):
        out = run.folder / "predictions.npy"
        self.call(self.program, "predict", "--data", data, "--out", out, run.folder)
        return torch.from_numpy(numpy.load(out))

    def evaluate(self, run, data="validation"):
        said = self.call(self.program, "evaluate", "--set", data, "--format", "json", run.folder)
        return json.loads(said)["sets"][data]
