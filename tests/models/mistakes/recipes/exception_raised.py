from torch import nn


def activation(name):
    if name == "relu":
        return nn.ReLU()
    raise NotImplementedError(f"activation {name}")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.act = activation("swish")

    def forward(self, x):
        return self.act(self.fc(x))
