"""The data of all cases: random numbers of a fixed seed, in safetensors files that both sides read bit by bit."""

import torch
from safetensors.torch import load_file, save_file

TRAINED, VALIDATED = 200, 70


def make_set(count, seed):
    generator = torch.Generator().manual_seed(seed)

    def normal(*shape):
        return torch.randn(count, *shape, generator=generator)

    def whole(most, *shape):
        return torch.randint(0, most, (count, *shape), generator=generator)

    x = normal(10)
    return {
        "x": x,
        "other": normal(10),
        "label": (x[:, :4] + 0.5 * normal(4)).argmax(1),  # can be learnt
        "gappy": torch.where(whole(4) == 0, -1, whole(4)),  # -1: does not count
        "places": whole(4, 6),  # a class for each of six places
        "share": normal(4).softmax(1),
        "log_share": normal(4).log_softmax(1),
        "value": x.sum(1) * 0.3 + normal(),
        "values": normal(3),
        "wide": normal(64, 64),
        "yes": (x[:, 0] > 0).float(),
        "several": (x[:, :3] + normal(3) > 0).float(),
        "sign": (x[:, 0] > 0).float() * 2 - 1,
        "count": normal().abs().mul(3).round(),
        "letters": whole(4, 3) + 1,
        "frames": whole(3) + 8,
        "lengths": whole(3) + 1,
        "image": torch.rand(count, 1, 8, 8, generator=generator),
        "sequence": normal(5, 4),
        "tokens": whole(17, 8),
        "next": whole(17, 8),
    }


def make(folder):
    save_file(make_set(TRAINED, 1), folder / "train.safetensors")
    save_file(make_set(VALIDATED, 2), folder / "validation.safetensors")


def batches(samples, size, steps, drop_last=False):
    """Epoch after epoch in the order of the data; the last batch of one may be smaller."""
    count = len(next(iter(samples.values())))
    begin = 0
    for _ in range(steps):
        if begin >= count or (drop_last and begin + size > count):
            begin = 0
        yield {name: field[begin : begin + size] for name, field in samples.items()}
        begin += size


def load(path):
    return load_file(path)
