from torch import nn


class Line(nn.Module):
    """A straight line between two classes: (B, inputs) to (B, outputs)."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.line = nn.Linear(inputs, outputs)

    def forward(self, x):
        return self.line(x)
