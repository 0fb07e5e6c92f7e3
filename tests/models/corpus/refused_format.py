# refused: 11:20: a method cannot format numbers
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, n: int):
        print(f"n is {n:04d}")
        return x
