"""Every file in models/ is ordinary PyTorch: imported by Python unchanged, built with its recipe's arguments, run.

usage: models_test.py ROOT
"""

import importlib.util
import pathlib
import sys

import torch
from ruamel.yaml import YAML


def load(file):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    root = pathlib.Path(sys.argv[1])
    for recipe_file in sorted((root / "recipes").glob("*.yaml")):
        model = YAML(typ="safe", pure=True).load(recipe_file)["model"]
        torch.manual_seed(0)
        if "archive" in model:
            built = torch.jit.load((recipe_file.parent / model["archive"]).resolve())
            name = model["archive"]
        else:
            name = model["class"]
            built = getattr(load((recipe_file.parent / model["source"]).resolve()), name)(**model["args"])
            output = built(torch.zeros(2, model["args"]["inputs"]))
            assert output.shape == (2, model["args"]["outputs"]), output.shape
        print(f"{recipe_file.name}: {name}, {sum(p.numel() for p in built.parameters())} parameters")


main()
