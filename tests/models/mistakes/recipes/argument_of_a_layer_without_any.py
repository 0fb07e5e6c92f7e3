import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.squash = nn.Sigmoid(inplace=True)
        self.last = nn.Linear(4, 4)

    def forward(self, x):
        return self.last(self.squash(x))
