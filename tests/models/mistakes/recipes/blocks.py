from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width * 2)
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        return self.norm(self.fc(x))
