# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.sizes = [1, 2, 3]
        self.table = {"a": 0.5, "b": 2.0}

    def forward(self, x):
        outputs = []
        for size in self.sizes:
            outputs.append(self.linear(x) * size)
        squares = [n * n for n in range(4)]
        named = {"x": x, "y": outputs[0]}
        named["z"] = x * squares[3]
        numbers = {n: n * 2 for n in [1, 2]}
        total = sum(outputs) + sum(squares) + sum([0.5, 1.5])
        more = [*squares, 10]
        total = total + self.table["a"] * numbers[2] + len(more) + max(squares) - min(1, 2)
        sizes = x.shape[:1] + (2, 2)
        return torch.stack(outputs), named, total.view(sizes), list(reversed(squares))[0] * x
