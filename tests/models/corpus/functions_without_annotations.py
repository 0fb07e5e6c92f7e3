# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn

EPSILON = 1e-5
SIZES = (2, 6)


def scale(x, n, eps=EPSILON):
    """Called with numbers, lists and tuples: nothing says which."""
    return x * n + eps


def total(items):
    result = items[0]
    for item in items[1:]:
        result = result + item
    return result


def pick(pair):
    first, second = pair
    return first * second


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        x = scale(self.linear(x), 3)
        x = scale(x, 0.5, eps=1.0)
        x = total([x, x]) + total([1, 2, 3]) + total(SIZES)
        return pick((x, 2)) + pick((2.0, 3))
