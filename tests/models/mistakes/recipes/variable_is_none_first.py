from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        out = None
        for i in range(2):
            if out is None:
                out = self.fc(x)
            else:
                out = out + self.fc(x)
        return out
