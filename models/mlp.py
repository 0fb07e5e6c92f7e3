from torch import nn


class MLP(nn.Module):
    """Linear layers with ReLU between them: (B, inputs) to (B, outputs)."""

    def __init__(self, inputs: int, hidden: list[int], outputs: int):
        super().__init__()
        widths = [inputs] + hidden
        layers = []
        for before, after in zip(widths, widths[1:]):
            layers.append(nn.Linear(before, after))
            layers.append(nn.ReLU())
        layers.append(nn.Linear(widths[-1], outputs))
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)
