from torch import nn


class Net(nn.Module):
    def __init__(self, width: int = 3):
        super().__init__()
        while width > 2:
            width = max(width // 2, 3)
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(x)
