# works
# inputs: torch.randn(3, 4)
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        # Python keeps and frees such values; a method has no use for them.
        items = []
        for _ in range(100000):
            items = [items]
        self.deep = items
        self.endless = [1]
        self.endless.append(self.endless)
        self.settings = {"width": 4}
        self.settings["all"] = self.settings
        numbers = [1]
        for _ in range(10000):
            numbers = map(abs, numbers)

    def forward(self, x):
        return self.fc(x)
