"""Trains one model with PyTorch: `python -m strangers.reference TREE DATA STEPS` with the entry on standard input.

Writes the inputs to DATA, a .npz file, and prints the losses and the gradient norms of the steps as JSON.
"""

import json
import pathlib
import random
import sys

import numpy
import torch

from matches.training import seed_of_dropout

from . import loading

RATE = 0.01
SEED = 0


def main():
    folder, data, steps = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    entry = json.load(sys.stdin)
    torch.set_num_threads(1)
    module = loading.module_of(folder, entry["path"], entry.get("root"))
    build = getattr(module, entry["class"])
    torch.manual_seed(SEED)
    # knead's own random numbers of Python and NumPy follow from the recipe's seed.
    random.seed(SEED)
    numpy.random.seed(SEED)
    model = build(**loading.arguments(entry, build, module))
    given = loading.inputs(entry)
    numpy.savez(data, **{name: tensor.numpy() for name, tensor in given.items()})
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.SGD(parameters, lr=RATE)
    torch.manual_seed(seed_of_dropout(SEED))
    model.train()
    losses, norms = [], []
    for _ in range(steps):
        optimizer.zero_grad()
        output = loading.picked(loading.called(model, given), entry.get("output"))
        loss = output.float().square().mean()
        loss.backward()
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        losses.append(loss.item())
        # In float64: PyTorch's own norm of millions of float32 numbers is off by 1e-4.
        norms.append(torch.stack([gradient.double().norm() for gradient in gradients]).norm().item())
        optimizer.step()
    print("\n" + json.dumps({"losses": losses, "norms": norms}))


if __name__ == "__main__":
    main()
