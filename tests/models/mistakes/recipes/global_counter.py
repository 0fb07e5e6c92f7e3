from torch import nn

calls = 0


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        global calls
        calls += 1
        return self.fc(x)
