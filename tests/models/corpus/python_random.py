# works
# inputs: torch.randn(2, 8)
import random

import torch
from torch import nn


def order():
    places = list(range(8))
    random.Random(12).shuffle(places)
    return places


def drawn(seed):
    own = random.Random(seed)
    numbers = [own.random(), own.uniform(-1, 3), own.gauss(0, 1), own.gauss(2, 0.5), own.normalvariate(0, 2)]
    numbers += [own.randint(0, 9), own.randrange(7), own.randrange(3, 40, 5), own.getrandbits(40), own.choice([4, 5, 6])]
    numbers += own.sample(range(100), 7) + own.sample(list(range(9)), 4) + own.sample(range(10**6), 30)
    numbers += own.choices([1, 2, 3], k=5) + own.choices([1, 2, 3], weights=[1, 4, 2], k=5)
    numbers += [own.triangular(0, 1, 0.3), own.expovariate(1.5), own.lognormvariate(0, 0.1)]
    return [float(number) for number in numbers]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        random.seed(99)
        self.linear = nn.Linear(8, random.randint(3, 5))
        self.register_buffer("order", torch.tensor(order()))
        self.register_buffer("drawn", torch.tensor([drawn(seed) for seed in (0, 1, -5, 2**40 + 3)], dtype=torch.float64))
        self.scale = random.random()

    def forward(self, x):
        return self.linear(x[:, self.order]) * self.scale
