"""A rank of fully_shard that trains a workload, as one would write it by hand: no knead in here.

usage: fsdp_rank.py RANK RANKS RENDEZVOUS WORKLOAD STEPS [LOSSES]    writes the loss of each step to the file LOSSES
"""
import importlib.util
import json
import sys

import torch
from torch.distributed.fsdp import fully_shard
from torch.nn import functional as F

from ranks_of.workloads import ROOT
from shards_of import workloads


def model_of(name):
    file, model, arguments, _ = workloads.WORKLOADS[name]
    spec = importlib.util.spec_from_file_location("model", ROOT / "models" / file)
    module = sys.modules["model"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    torch.manual_seed(0)
    return getattr(module, model)(config=module.GPTConfig(**arguments["config"]))


def train(rank, ranks, rendezvous, name, steps, losses):
    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=ranks)
    mesh = torch.distributed.device_mesh.init_device_mesh("cpu", (ranks,))
    model = model_of(name)
    for block in model.blocks:
        fully_shard(block, mesh=mesh)
    fully_shard(model, mesh=mesh)
    inputs, targets = workloads.data(name)
    batch = workloads.WORKLOADS[name][3]
    share = slice(rank * batch // ranks, (rank + 1) * batch // ranks)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.01, foreach=True)
    seen = []
    for step in range(steps):
        place = step * batch % len(inputs)
        x, y = inputs[place : place + batch][share], targets[place : place + batch][share]
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(x).flatten(0, -2), y.flatten())
        loss.backward()
        optimizer.step()
        if losses:
            mean = loss.detach().double() / ranks
            torch.distributed.all_reduce(mean)
            seen.append(mean.item())
    if losses and rank == 0:
        with open(losses, "w", encoding="utf-8") as file:
            json.dump(seen, file)
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    train(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5]),
          sys.argv[6] if len(sys.argv) > 6 else None)
