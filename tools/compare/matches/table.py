"""A line of the table: what was compared, how far apart it is, and how far apart it may be."""

from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Bound:
    """The most that two results may differ: relative to the largest number of a tensor unless `absolute`."""

    most: float
    why: str
    absolute: bool = False

    def __str__(self):
        if self.most == 0:
            return f"0: {self.why}"
        return f"{self.most:.0e}{' absolute' if self.absolute else ''}: {self.why}"


@dataclass(frozen=True)
class Line:
    """One comparison. `recipe` says what is varied of the base recipe."""

    kind: str
    recipe: str
    compared: str
    absolute: float
    relative: float
    bound: Bound
    problem: str = ""

    @property
    def is_ok(self):
        return not self.problem and (self.absolute if self.bound.absolute else self.relative) <= self.bound.most

    def __str__(self):
        apart = f"{self.absolute:8.1e} {self.relative:8.1e}" if not self.problem else f"{'-':>8} {'-':>8}"
        judged = "ok" if self.is_ok else "FAIL"
        text = f"{judged:<4} {self.kind:<11} {self.compared:<40} {apart}  {str(self.bound):<64} {self.recipe}"
        return text + (f"\n     {self.problem}" if self.problem else "")


HEADER = f"{'':<4} {'kind':<11} {'compared':<40} {'absolute':>8} {'relative':>8}  {'bound':<64} recipe"
FAR = (float("inf"), float("inf"))


def apart_numbers(ours, theirs):
    """Lists of numbers, each relative to its own size."""
    if len(ours) != len(theirs):
        return FAR
    absolute = relative = 0.0
    for a, b in zip(ours, theirs):
        if a == b or (a != a and b != b):
            continue
        difference = abs(a - b) if abs(a - b) == abs(a - b) else float("inf")
        absolute = max(absolute, difference)
        relative = max(relative, difference / abs(b) if b else float("inf"))
    return absolute, relative


def apart_tensors(ours, theirs):
    """Two tensors, relative to the largest number of the second."""
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return FAR
    if torch.equal(ours, theirs):
        return 0.0, 0.0
    ours, theirs = ours.detach().double(), theirs.detach().double()
    if not torch.equal(ours.isfinite(), theirs.isfinite()):
        return FAR
    absolute = (ours - theirs).nan_to_num(0, 0, 0).abs().max().item()
    size = theirs.nan_to_num(0, 0, 0).abs().max().item()
    return absolute, absolute / size if size else (float("inf") if absolute else 0.0)


def apart(ours, theirs):
    """The largest absolute and relative difference of two numbers, lists, tensors or dicts of tensors."""
    if isinstance(theirs, dict):
        if ours.keys() != theirs.keys():
            return FAR
        pairs = [apart(ours[name], theirs[name]) for name in theirs]
        return tuple(max(pair[i] for pair in pairs) for i in (0, 1)) if pairs else FAR
    if isinstance(theirs, torch.Tensor):
        return apart_tensors(ours, theirs)
    if isinstance(theirs, (list, tuple)):
        return apart_numbers(ours, theirs) if theirs else FAR
    return apart_numbers([ours], [theirs])


# What may differ, and why. A float32 is rounded by at most 6e-8 of itself, a bfloat16 by 4e-3.
EQUAL = Bound(0, "the same bits")
COUNT = Bound(0, "a count")
MEAN = Bound(5e-7, "float32 rounding of a mean")
ORDER = Bound(2e-6, "gradients are added in another order")
ORDER_OF_WEIGHTS = Bound(5e-7, "gradients are added in another order", absolute=True)
DIVIDED = Bound(1e-6, "divided by a number that is no power of two")
NORM = Bound(2e-6, "norm in float64 next to float32")
COEFFICIENT = Bound(2e-6, "a clip coefficient in float64 next to float32")
RUNNING = Bound(2e-7, "a running mean, in one operation or in two")
RATE = Bound(1e-12, "closed form next to recurrence, float64")
SCORE = Bound(1e-12, "counts and sums in float64")
