# works
# inputs: torch.randn(3, 4)
import collections
import functools
import inspect
import logging
import operator
import os
import pickle
import queue
import sys
import types
import typing
import warnings
from collections import Counter, OrderedDict, defaultdict, deque  # noqa: F401

import torch
from torch import nn

Activation = typing.Literal["relu", "tanh"]
log = logging.getLogger(__name__)


def register(fn):
    module = sys.modules[fn.__module__]
    if hasattr(module, "known"):
        module.known.append(fn.__name__)
    else:
        module.known = [fn.__name__]
    return fn


@register
def relu():
    return nn.ReLU()


@register
def tanh():
    return nn.Tanh()


class Tuned(nn.Linear):
    pass


nn.Tuned = Tuned


class Plugin:
    names = []

    def __init_subclass__(cls, label="none", **kwargs):
        super().__init_subclass__(**kwargs)
        cls.names.append((cls.__name__, label))


class First(Plugin, label="first"):
    pass


class Second(Plugin):
    pass


class Keeps(nn.Module):
    """Finds what nn.Module does not know in a table of its own."""

    def __init__(self):
        super().__init__()
        self._table = {"scale": 3}

    def __getattr__(self, name):
        if "_table" in self.__dict__ and name in self.__dict__["_table"]:
            return self.__dict__["_table"][name]
        return super().__getattr__(name)


class Model(nn.Module):
    def __init__(self, pickle_module=pickle, activation="tanh"):
        super().__init__()
        assert activation in typing.get_args(Activation)
        assert sys.modules[__name__].known == ["relu", "tanh"]
        assert sys.version_info >= (3, 8)
        assert First.names is Second.names and Plugin.names == [("First", "first"), ("Second", "none")]
        assert os.environ.get("A_NAME_THAT_NOBODY_SETS", "no") == "no"
        assert isinstance(tanh, types.FunctionType) and not isinstance(3, types.FunctionType)
        assert isinstance([1], typing.List) and isinstance({}, typing.Dict)
        assert isinstance(functools.partial(tanh), (int, functools.partial))
        log.info("nothing is shown")
        warnings.filterwarnings("ignore")

        groups = defaultdict(list)
        for name in ("a1", "b1", "a2"):
            groups[name[0]].append(name)
        assert dict(groups) == {"a": ["a1", "a2"], "b": ["b1"]} and "c" not in groups

        recent = deque([1, 2, 3], maxlen=2)
        recent.append(4)
        recent.appendleft(9)
        assert list(recent) == [9, 3] and recent.popleft() == 9 and len(recent) == 1
        waiting = queue.Queue()
        waiting.put(4)
        assert not waiting.empty() and waiting.get() == 4

        assert functools.reduce(operator.mul, [2, 3, 4]) == 24
        assert operator.itemgetter(1)([5, 6]) == 6
        parameters = inspect.signature(Model.__init__).parameters
        assert list(parameters) == ["self", "pickle_module", "activation"]
        assert parameters["self"].default is inspect.Parameter.empty
        assert list(inspect.signature(Model).parameters) == ["pickle_module", "activation"]
        assert inspect.getfullargspec(register).args == ["fn"]
        assert inspect.isfunction(tanh) and inspect.isclass(Model) and not inspect.isfunction(Model)
        assert "ab".ljust(4, ".") + "ab".rjust(3) + "ab".center(5, "*") == "ab.. ab**ab*"
        assert "relu" in dir(torch.nn.functional) and "Tuned" in dir(nn)

        self.first = nn.Tuned(4, 4)
        self.first_again = self.first
        self.keeps = Keeps()
        assert self.keeps.scale == 3 and not hasattr(self.keeps, "other")
        assert id(self.first) == id(self.first_again) != id(self.keeps)
        self.layers = nn.Sequential(collections.OrderedDict(act=globals_of(self)["tanh"](), last=nn.Linear(4, 2)))

    def forward(self, x):
        return self.layers(self.first(x))


def globals_of(model):
    return {"tanh": tanh}
