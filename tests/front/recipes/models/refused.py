from torch import nn


class Line(nn.Module):
    def forward(self, x):
        try:
            return x / 2
        except ZeroDivisionError:
            return x
