"""A model file as Python loads it, its arguments and its inputs."""

import importlib
import importlib.util
import inspect
import os
import sys
import types
import typing


class Namespace(types.SimpleNamespace):
    """A map of a recipe: entries are attributes and items."""

    def __getitem__(self, key):
        return self.__dict__[key]

    def __setitem__(self, key, value):
        self.__dict__[key] = value

    def __contains__(self, key):
        return key in self.__dict__

    def __iter__(self):
        return iter(self.__dict__)

    def __len__(self):
        return len(self.__dict__)

    def get(self, key, default=None):
        return self.__dict__.get(key, default)

    def keys(self):
        return self.__dict__.keys()

    def values(self):
        return self.__dict__.values()

    def items(self):
        return self.__dict__.items()


def outermost_package(folder, path):
    """The folder above the outermost package around the file, relative to the tree."""
    above = os.path.dirname(path)
    while above and (folder / above / "__init__.py").exists():
        above = os.path.dirname(above)
    return above


def forget(folder):
    """A folder's own modules come before installed ones of the same name that are loaded already."""
    for entry in os.listdir(folder):
        stem = entry.removesuffix(".py")
        loaded = sys.modules.get(stem)
        if stem in ("torch", "numpy") or "site-packages" not in str(getattr(loaded, "__file__", "")):
            continue
        for known in [name for name in sys.modules if name == stem or name.startswith(stem + ".")]:
            del sys.modules[known]


def module_of(folder, path, root):
    root = outermost_package(folder, path) if root is None else root
    full = folder / path
    name = os.path.relpath(path, root or ".")[: -len(".py")].replace(os.sep, ".")
    sys.argv = [str(full)]
    for place in (full.parent, folder / root):
        sys.path.insert(0, os.path.normpath(place))
        forget(place)
    parent, _, last = name.rpartition(".")
    if parent:
        importlib.import_module(parent)
    if name in sys.modules:
        loaded = sys.modules[name]
        if os.path.realpath(getattr(loaded, "__file__", None) or "") == os.path.realpath(full):
            return loaded
        name = name if parent else "_file_" + last
    spec = importlib.util.spec_from_file_location(name, full)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if parent:
        setattr(sys.modules[parent], last, module)
    return module


def as_tuple(value):
    return tuple(as_tuple(item) for item in value) if isinstance(value, list) else value


def converted(value, name, tuples):
    if isinstance(value, list):
        return as_tuple(value) if name in tuples else [converted(item, name, tuples) for item in value]
    if isinstance(value, dict):
        return Namespace(**{key: converted(item, f"{name}.{key}", tuples) for key, item in value.items()})
    return value


def as_plain(value):
    if isinstance(value, Namespace):
        return {key: as_plain(item) for key, item in value.items()}
    return [as_plain(item) for item in value] if isinstance(value, list) else value


def annotated_class(build, name, module):
    target = build.__init__ if inspect.isclass(build) else build
    note = getattr(target, "__annotations__", {}).get(name)
    if isinstance(note, str):
        note = eval(note, dict(vars(module)))
    if typing.get_origin(note) in (typing.Union, types.UnionType):
        rest = [one for one in typing.get_args(note) if one is not type(None)]
        note = rest[0] if len(rest) == 1 else None
    note = typing.get_origin(note) or note
    return note if inspect.isclass(note) else None


def arguments(entry, build, module):
    made = {}
    for name, value in entry["args"].items():
        value = converted(value, name, set(entry.get("tuples", ())))
        if isinstance(value, Namespace):
            note = annotated_class(build, name, module)
            is_own = note and note.__module__ not in ("builtins", "typing", "argparse", "types", "collections.abc")
            if note and issubclass(note, dict):
                value = as_plain(value)
            elif is_own:
                value = note(**dict(value))
        made[name] = value
    return made


def inputs(entry):
    import torch

    generator = torch.Generator().manual_seed(1)
    made = {}
    for name, want in entry["inputs"].items():
        kind = want.get("dtype", "float32")
        if kind == "float32":
            made[name] = torch.randn(want["shape"], generator=generator)
        elif kind == "int64":
            made[name] = torch.randint(0, want["below"], want["shape"], generator=generator)
        else:
            made[name] = torch.randint(0, 2, want["shape"], generator=generator).bool()
    return made


def called(model, given):
    """By name where forward knows the names, else in order."""
    known = inspect.signature(model.forward).parameters
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    if all(name in known and known[name].kind in by_name for name in given):
        return model(**given)
    return model(*given.values())


def picked(output, path):
    """The tensor to train on in what forward returns: an index, a key, or a dotted path of those."""
    steps = [] if path is None else [path] if isinstance(path, int) else str(path).split(".")
    for step in steps:
        if isinstance(step, str) and isinstance(output, dict) and step in output:
            output = output[step]
        elif isinstance(step, int) or step.lstrip("-").isdigit():
            output = output[int(step)]
        else:
            output = getattr(output, step)
    return output
