# works
# inputs: torch.randn(3, 4)
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        print("what is printed here goes to standard error")
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        print("as it does in a method", x.shape)
        return self.fc(x)
