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


class Decorated(nn.Module):
    @functools.lru_cache
    def __init__(self, a):
        super().__init__()


class Assigned(nn.Module):
    __init__ = Annotated.__init__


class Either(nn.Module):
    if True:
        def __init__(self, a):
            super().__init__()


class Twice(nn.Module):
    def __init__(self, a):
        pass

    def __init__(self, b):
        pass


class Foreign(Base):
    pass


class Mixed(Decorated, Either):
    pass


@functools.total_ordering
class Changed(nn.Module):
    def __init__(self, a):
        super().__init__()


class Meta(nn.Module, metaclass=type):
    def __init__(self, a):
        super().__init__()


class New(nn.Module):
    def __new__(cls, z):
        return super().__new__(cls)


Alias = Decorated
Partial = functools.partial(Annotated, a=1)
if Alias:
    Chosen = Annotated
