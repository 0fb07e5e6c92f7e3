from torch import nn


class Line(nn.Module):
    def forward(self, x):
        match x.dim():
            case 2:
                return x / 2
        return x
