from torch import nn

from broken import Line


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = Line(1, 2)
