from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.head = nn.Linear(4, 3)

    def apply_times(self, x, n: int):
        if n == 0:
            return x
        return self.apply_times(self.fc(x), n - 1)

    def forward(self, x):
        return self.head(self.apply_times(x, 3))
