"""Every model that a recipe names is ordinary PyTorch: imported by Python unchanged, built with the recipe's arguments.

usage: models_test.py ROOT
"""

import importlib.machinery
import pathlib
import sys
import types

import torch
from ruamel.yaml import YAML


def script(path):
    sys.path.insert(0, str(path.parent))  # where the modules are that it imports
    module = types.ModuleType(path.name)
    module.__file__ = str(path)
    importlib.machinery.SourceFileLoader(path.name, str(path)).exec_module(module)
    return module


def class_in(module):
    """The one that no other class of the file uses is the last, as the models here are written."""
    return [value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__][-1]


def main():
    root = pathlib.Path(sys.argv[1])
    recording = script(root / "tools/record_forward")
    for recipe_file in sorted((root / "recipes").glob("*.yaml")):
        model = YAML(typ="safe", pure=True).load(recipe_file)["model"]
        torch.manual_seed(0)
        if "archive" in model:
            built = torch.jit.load((recipe_file.parent / model["archive"]).resolve())
            name = model["archive"]
        else:
            module = recording.imported((recipe_file.parent / model["source"]).resolve())
            made = getattr(module, model["class"]) if "class" in model else class_in(module)
            built = recording.from_recipe(made, model["args"])
            name = made.__name__
        print(f"{recipe_file.name}: {name}, {sum(p.numel() for p in built.parameters())} parameters")


main()
