# refused: 12:16: calls nest more than 250 deep here
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def nest(self, x):
        # Each call has another type, so this is no recursion that the compiler would know.
        return self.nest([x])

    def forward(self, x):
        return self.nest(self.fc(x))
