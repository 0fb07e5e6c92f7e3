# interpreted: 32:43: which module this is would be known only while the model runs
# inputs: torch.randn(3, 6)
# Modules, functions and types that follow from the data, and objects made on the way.
from dataclasses import dataclass
from typing import Any, Optional

import torch
from torch import nn
from torch.nn import functional as F

ACTIVATIONS = {"relu": F.relu, "tanh": torch.tanh, "swish": lambda x: x * torch.sigmoid(x)}


@dataclass
class Output:
    logits: torch.Tensor
    hidden: Optional[Any] = None
    loss: Optional[torch.Tensor] = None


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(6, 6) for _ in range(3)])
        self.names = ["relu", "tanh", "swish"]
        self.norm = nn.LayerNorm(6)

    def forward(self, x):
        hidden = []
        for row in range(len(x)):
            i = row % len(self.layers)
            value = self.norm(self.layers[i](x[row]))
            hidden.append(ACTIVATIONS[self.names[i]](value))
        mixed = [1, hidden[0], None, *hidden[1:]]
        total = 0
        for part, weight in zip(filter(torch.is_tensor, mixed), (i + 1 for i in range(9))):
            total = total + part * weight
        made = {len(one): one for one in ("a", "bb")}
        result = Output(logits=nn.Softmax(dim=0)(total) * max(made), hidden=tuple(hidden))
        setattr(self, "last_" + made[1], result.logits.detach())
        return {"logits": result.logits, "hidden": getattr(result, "hidden"), "a": self.last_a}
