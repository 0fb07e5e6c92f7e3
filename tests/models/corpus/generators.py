# works
# inputs: torch.randn(3, 8)
import itertools

import torch
from torch import nn


def doubled(start):
    """Does not end by itself."""
    while True:
        yield start
        start = start * 2


def pairs(widths):
    before = None
    for width in widths:
        if before is not None:
            yield before, width
        before = width
    else:
        yield before, before


def layers_of(widths):
    for inputs, outputs in pairs(widths):
        yield nn.Linear(inputs, outputs)
        if inputs == outputs:
            return
        yield nn.ReLU()
    yield nn.Identity()


def all_of(*groups):
    for group in groups:
        yield from group
    yield from (nn.Tanh() for _ in range(1))


def numbered(items):
    count = 0
    while count < 10:
        for item in items:
            if count % 4 == 3:
                count += 1
                continue
            if count > 6:
                break
            x = yield item, count
            assert x is None
            count += 1
        else:
            continue
        break


class Steps:
    def __init__(self, most):
        self.most = most
        self.now = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.now == self.most:
            raise StopIteration
        self.now += 1
        return self.now


class Halves:
    def __init__(self, width):
        self.width = width

    def __iter__(self):
        width = self.width
        while width > 1:
            width //= 2
            yield width


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        widths = [width for _, width in zip(range(4), doubled(1))]
        assert widths == [1, 2, 4, 8]
        assert list(itertools.islice(doubled(3), 1, 6, 2)) == [6, 24, 96]
        assert list(numbered("ab")) == [("a", 0), ("b", 1), ("a", 2), ("a", 4), ("b", 5), ("a", 6)]
        assert list(Steps(3)) == [1, 2, 3] and next(Steps(0), None) is None
        assert list(Halves(8)) == [4, 2, 1]
        begun = doubled(5)
        assert (next(begun), next(begun), next(begun)) == (5, 10, 20)
        assert next((x for x in range(9) if x > 20), "none") == "none"
        assert list(itertools.accumulate(range(1, 5), lambda a, b: a * b)) == [1, 2, 6, 24]
        assert list(itertools.chain.from_iterable([[1], (2, 3)])) == [1, 2, 3]
        assert [x for x, _ in zip(itertools.cycle("ab"), range(3))] == ["a", "b", "a"]
        assert list(itertools.combinations("abc", 2)) == [("a", "b"), ("a", "c"), ("b", "c")]
        assert len(list(itertools.permutations(range(3)))) == 6
        assert list(zip(itertools.count(2, 3), "xy")) == [(2, "x"), (5, "y")]
        self.layers = nn.ModuleList(all_of(layers_of([8, 6, 4, 4]), [nn.LayerNorm(4)]))
        self.parameters_before = sum(1 for _ in self.parameters())
        assert self.parameters_before == 8, self.parameters_before

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
