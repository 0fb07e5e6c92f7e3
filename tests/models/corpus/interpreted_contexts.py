# interpreted: 79:74: there is nothing to give a name to here
# inputs: torch.randn(2, 4)
import contextlib
import threading
from contextlib import contextmanager, nullcontext, suppress

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel

_depth = threading.local()


class scaled:
    def __init__(self, module, by):
        self.module, self.by = module, by

    def __enter__(self):
        self.before, self.module.scale = self.module.scale, self.module.scale * self.by
        return self.module.scale

    def __exit__(self, kind, value, traceback):
        self.module.scale = self.before
        return kind is not None and issubclass(kind, ZeroDivisionError)


@contextmanager
def deeper(steps):
    _depth.value = getattr(_depth, "value", 0) + 1
    steps.append("in")
    try:
        yield _depth.value
    finally:
        _depth.value -= 1
        steps.append("out")


@contextlib.contextmanager
def counted(steps):
    steps.append("first")
    yield
    steps.append("last")


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.scale = 1.0
        self.steps = []
        with deeper(self.steps) as depth, counted(self.steps):
            self.depth = depth
        with suppress(KeyError):
            {}["absent"]
        with contextlib.ExitStack() as stack:
            stack.enter_context(deeper(self.steps))
            stack.callback(self.steps.append, "called")

    def risky(self, x):
        steps = []
        try:
            with deeper(steps), scaled(self, 3.0) as scale:
                x = x * scale
                raise ValueError("left")
        except ValueError:
            x = x * len(steps)
        with scaled(self, 0.5):
            x = x / 0 if self.scale == 0.5 else 1 / 0
            1 / 0
        return x.nan_to_num(1.0, 2.0, -2.0)

    @counted([])
    def last(self, x):
        return x + self.scale

    def forward(self, x):
        x = self.linear(x)
        with torch.cuda.amp.autocast(enabled=False), nullcontext(2.0) as two:
            x = x * two
        with sdpa_kernel([SDPBackend.MATH]), deeper([]) as depth:
            q = x.view(2, 1, 1, 4)
            x = F.scaled_dot_product_attention(q, q, q).view(2, 4) * depth
        for _ in range(2):
            with scaled(self, 2.0):
                if self.scale > 1:
                    break
        return self.last(self.risky(x) + len(self.steps) + x * self.depth)
