# works
# inputs: torch.randint(0, 7, (2, 5))
# The model takes a configuration without saying its type; one that is no dataclass does too.
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class GPTConfig:
    vocab_size: int = 7
    n_embd: int = 4
    bias: bool = False


class Head:
    def __init__(self, width, scale=2.0, **others):
        self.width = width
        self.scale = scale
        for key, value in others.items():
            setattr(self, key, value)


class Model(nn.Module):
    def __init__(self, config=GPTConfig(n_embd=6), head=Head(6, kind="linear")):
        super().__init__()
        assert config.vocab_size is not None
        self.config = config
        self.head_config = head
        self.embed = nn.Embedding(config.vocab_size, config.n_embd)
        self.head = nn.Linear(head.width, config.vocab_size, bias=config.bias)

    def forward(self, idx):
        assert idx.size(1) <= self.config.vocab_size
        x = self.embed(idx)
        if self.head_config.kind == "linear":
            x = self.head(x) * self.head_config.scale
        return x
