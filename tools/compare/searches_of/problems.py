"""Functions with a known least value, over the spaces that a sweep of a recipe can say."""

import dataclasses
import math
from collections.abc import Callable

import numpy

HARTMANN_ALPHA = numpy.array([1.0, 1.2, 3.0, 3.2])
HARTMANN_A = numpy.array([
    [10, 3, 17, 3.5, 1.7, 8],
    [0.05, 10, 17, 0.1, 8, 14],
    [3, 3.5, 1.7, 10, 17, 8],
    [17, 8, 0.05, 10, 0.1, 14],
])
HARTMANN_P = 1e-4 * numpy.array([
    [1312, 1696, 5569, 124, 8283, 5886],
    [2329, 4135, 8307, 3736, 1004, 9991],
    [2348, 1451, 3522, 2883, 3047, 6650],
    [4047, 8828, 8732, 5743, 1091, 381],
])


@dataclasses.dataclass(frozen=True)
class Problem:
    """`value(point)` is exact; a search sees it with normal noise of the standard deviation `noise`. Dimensions are what
    tests/sweep/search/propose_points.cpp reads."""

    name: str
    space: list[dict]
    value: Callable[[list[float]], float]
    least: float
    noise: float = 0.0


def branin(point):
    x, y = point
    bend = y - 5.1 / (4 * math.pi**2) * x**2 + 5 / math.pi * x - 6
    return bend**2 + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x) + 10


def hartmann(point):
    inner = (HARTMANN_A * (numpy.array(point) - HARTMANN_P) ** 2).sum(axis=1)
    return -float(HARTMANN_ALPHA @ numpy.exp(-inner))


def quadratic(point):
    return sum((x - center) ** 2 for x, center in zip(point, [0.3, -0.4, 0.1, 0.7, -0.2]))


def training(point):
    """A made-up validation loss: the best learning rate depends on the optimizer and on the width."""
    optimizer, activation, layers, log_width, rate, dropout = (
        int(point[0]), int(point[1]), point[2], math.log2(point[3]), math.log10(point[4]), point[5]
    )
    best_rate = [-3.0, -1.0, -2.5, -2.0][optimizer] - 0.2 * (log_width - 7)
    return (
        [0.0, 0.1, 0.05, 0.3][optimizer]
        + [0.0, 0.04, 0.12][activation]
        + 0.25 * (rate - best_rate) ** 2
        + 0.02 * (layers - 5) ** 2
        + 0.03 * (log_width - 7) ** 2
        + 0.8 * (dropout - 0.2) ** 2
    )


def real(low, high, log=False):
    return {"low": low, "high": high, "log": log, "integer": False}


def integer(low, high, log=False):
    return {"low": low, "high": high, "log": log, "integer": True}


PROBLEMS = [
    Problem("branin", [real(-5, 10), real(0, 15)], branin, 0.39788735772973816),
    Problem("hartmann6", [real(0, 1)] * 6, hartmann, -3.32236801141551),
    Problem("noisy quadratic", [real(-1, 1)] * 5, quadratic, 0.0, noise=0.1),
    Problem(
        "mixed",
        [{"choices": 4}, {"choices": 3}, integer(1, 12), integer(16, 1024, log=True), real(1e-6, 1, log=True),
         real(0, 0.9)],
        training,
        0.0,
    ),
]
