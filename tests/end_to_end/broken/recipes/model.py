from torch import nn


class Line(nn.Module):
    def __init__(self, inputs: int = 2, outputs: int = 1):
        super().__init__()
        self.line = nn.Linear(inputs, outputs)

    def forward(self, x):
        return self.line(x).squeeze(1)
