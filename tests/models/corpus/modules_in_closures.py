# works
# inputs: torch.randn(3, 4)
# minGPT's way: a lambda of __init__ that calls the modules of a variable.
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.mlp = nn.ModuleDict(dict(fc=nn.Linear(4, 8), act=nn.GELU(), proj=nn.Linear(8, 4), drop=nn.Dropout(0.1)))
        m = self.mlp
        self.mlpf = lambda x: m.drop(m.proj(m.act(m.fc(x))))

    def forward(self, x):
        return x + self.mlpf(x)
