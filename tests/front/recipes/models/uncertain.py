import functools
from typing import Any, NewType, Optional, Union

import torch.nn as nn
from torch import *
from torch.nn import Linear as Base

Width = NewType("Width", int)
Sizes = list[int]
float = str


class text(str):
    pass


class Annotated(nn.Module):
    def __init__(self, a: Width, b: "int", c: Sizes, d: Any, e: text, f: int = None, g: Union[int, str] = 1,
                 h: Optional["int"] = 2, i: nn.Module = None, j: tuple[int, int] = (1, 2), k: object = 3,
                 l: float = 1.0):
        super().__init__()

    def forward(self, x):
        return x


class Decorated(nn.Module):
    @functools.lru_cache
    def __init__(self, a):
        super().__init__()

    def forward(self, x):
        return x


class Assigned(nn.Module):
    __init__ = Annotated.__init__

    def forward(self, x):
        return x


class Either(nn.Module):
    if True:
        def __init__(self, a):
            super().__init__()

    def forward(self, x):
        return x


class Twice(nn.Module):
    def __init__(self, a):
        super().__init__()

    def __init__(self, b):
        super().__init__()

    def forward(self, x):
        return x


class Foreign(Base):
    pass


class Mixed(Decorated, Either):
    pass


@functools.total_ordering
class Changed(nn.Module):
    def __init__(self, a):
        super().__init__()

    def forward(self, x):
        return x


class Meta(nn.Module, metaclass=type):
    def __init__(self, a):
        super().__init__()

    def forward(self, x):
        return x


class New(nn.Module):
    def __new__(cls, z):
        return super().__new__(cls)

    def forward(self, x):
        return x


Alias = Decorated
Partial = functools.partial(Annotated, a=1)
if Alias:
    Chosen = Annotated
