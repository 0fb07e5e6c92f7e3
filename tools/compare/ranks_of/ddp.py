"""A rank of DistributedDataParallel that trains a workload, as one would write it by hand: no knead in here.

usage: ddp.py RANK RANKS RENDEZVOUS WORKLOAD STEPS [LOSSES]    writes the loss of each step to the file LOSSES
"""
import importlib.util
import json
import sys

import torch
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel

from ranks_of import workloads


def model_of(name):
    file, model, arguments, _ = workloads.WORKLOADS[name]
    spec = importlib.util.spec_from_file_location(name, workloads.ROOT / "models" / file)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if name == "gpt":
        arguments = {"config": module.GPTConfig(**arguments["config"])}
    torch.manual_seed(0)
    return getattr(module, model)(**arguments)


def train(rank, ranks, rendezvous, name, steps, losses):
    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=ranks)
    model = model_of(name)
    inputs, targets = workloads.data(name)
    batch = workloads.WORKLOADS[name][3]
    share = slice(rank * batch // ranks, (rank + 1) * batch // ranks)
    parallel = DistributedDataParallel(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01, fused=True)
    seen = []
    for step in range(steps):
        place = step * batch % len(inputs)
        x, y = inputs[place : place + batch][share], targets[place : place + batch][share]
        optimizer.zero_grad(set_to_none=True)
        output = parallel(x)
        loss = F.cross_entropy(output.flatten(0, -2), y.flatten())
        loss.backward()
        optimizer.step()
        if losses:
            mean = loss.detach().double() / ranks
            torch.distributed.all_reduce(mean)
            seen.append(mean.item())
        else:
            loss.item()
    if losses and rank == 0:
        with open(losses, "w", encoding="utf-8") as file:
            json.dump(seen, file)
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    train(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5]),
          sys.argv[6] if len(sys.argv) > 6 else None)
