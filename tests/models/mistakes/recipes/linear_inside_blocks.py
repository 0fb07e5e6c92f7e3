from torch import nn


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.query = nn.Linear(width, width)
        self.out = nn.Linear(width * 2, width)

    def forward(self, x):
        return self.out(self.query(x))


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.attention = Attention(width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        return x + self.attention(self.norm(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(4) for _ in range(2)])
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)
