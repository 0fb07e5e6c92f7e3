from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"body": nn.Linear(4, 8), "head": nn.Linear(8, 3)})

    def forward(self, x):
        return self.parts["haed"](self.parts["body"](x))
