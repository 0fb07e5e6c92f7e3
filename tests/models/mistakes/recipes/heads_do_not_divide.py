from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(4, 3, batch_first=True)
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        x = x.unsqueeze(1)
        return self.head(self.attention(x, x, x)[0][:, 0])
