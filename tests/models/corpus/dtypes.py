# works
# inputs: torch.randn(3, 4)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, dtype=torch.float32):
        super().__init__()
        self.linear = nn.Linear(4, 4, dtype=dtype)
        self.dtype = dtype

    def forward(self, x):
        y = self.linear(x.to(self.dtype))
        if x.dtype == torch.float32:
            y = y + 1
        z = torch.zeros(3, dtype=torch.float64, device=x.device)
        w = torch.full((2, 2), torch.finfo(x.dtype).min, dtype=x.dtype)
        return y, z.double() + y.double().sum(), x.long(), (x > 0).type_as(x), w
