"""The GPT of models/ without the cache: its forward takes tokens alone."""

from models.gpt import GPT, GPTConfig


class Uncached(GPT):
    def __init__(self, config: GPTConfig):
        super().__init__(config)

    def forward(self, tokens):
        return super().forward(tokens)
