# works
# inputs: torch.randn(3, 4)
import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(4, 2)
        self.log_var = nn.Linear(4, 2)
        self.dropout = nn.Dropout(0.3)

    def forward(self, x):
        x = self.dropout(x)
        mean, log_var = self.mean(x), self.log_var(x)
        std = torch.exp(0.5 * log_var)
        z = mean + torch.randn_like(std) * std
        kl = -0.5 * torch.sum(1 + log_var - mean.pow(2) - log_var.exp())
        return F.dropout(z, 0.5, self.training), kl
