# works
# inputs: torch.randn(3, 4), [torch.ones(4), torch.zeros(4)], (torch.ones(4), 3), {"a": torch.ones(4)}
from __future__ import annotations

import typing
from typing import Dict, List, Optional, Tuple

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(
        self,
        x: torch.Tensor,
        items: list[torch.Tensor],
        pair: Tuple[torch.Tensor, int],
        named: dict[str, torch.Tensor],
        size: int | None = None,
        other: typing.Optional[List[int]] = None,
    ) -> torch.Tensor:
        total: torch.Tensor = self.linear(x)
        for item in items:
            total = total + item
        first, count = pair
        for key, value in named.items():
            total = total + value * count + first
        if size is not None:
            total = total * size
        return total
