from torch import nn


class Net(nn.Module):
    def __init__(self, hidden: list[int], dropout: float = 0.1):
        super().__init__()
        sizes = [4] + hidden + [3]
        self.layers = nn.Sequential(*[nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.layers(x))
