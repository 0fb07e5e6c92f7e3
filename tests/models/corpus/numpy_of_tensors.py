# interpreted: 25:23: numpy is not available while the model runs, and this is an array of it
# inputs: torch.randn(2, 1, 24)
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.bands = np.linspace(0.1, 0.4, 4)
        self.places = torch.arange(-3.0, 4.0, dtype=torch.float64)
        adjacency = np.eye(4) + np.diag(np.ones(3), 1)
        powers = [np.linalg.matrix_power(adjacency, i) for i in (0, 1, 2, 3, 5)]
        self.register_buffer("powers", torch.from_numpy(np.stack(powers)).float())
        self.register_buffer("back", torch.from_numpy(np.linalg.matrix_power(adjacency, -2)).float())
        angles = np.sin(torch.tensor([0.0, 1.0], dtype=torch.float64))
        self.angles = angles if torch.is_tensor(angles) else None
        self.linear = nn.Linear(18, 3)

    def forward(self, x):
        filters = torch.zeros(3, 7)
        for i in range(3):
            low = 2 * self.bands[i] * np.sinc(2 * self.bands[i] * self.places)
            high = 2 * self.bands[i + 1] * np.sinc(2 * self.bands[i + 1] * self.places)
            filters[i, :] = Tensor(np.hamming(7)) * Tensor(high - low)
        x = F.conv1d(x, filters.view(3, 1, 7))
        return self.linear(x) * self.powers.sum() + self.back.sum() + self.angles.sum()
