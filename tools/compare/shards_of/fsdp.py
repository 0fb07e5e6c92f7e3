"""Compares losses under zero3 with those of PyTorch's fully_shard."""
import json

from ranks_of.numbers import losses, relative
from ranks_of.processes import run, run_ranks
from shards_of.workloads import write_recipe

STEPS = 30
# Rounding over 30 steps.
MOST = 1e-5
OPTIMIZER = "optimizer={type: adamw, lr: 1e-4, weight_decay: 0.01}"


def run_fsdp(*words):
    """Trains a workload with fully_shard, a process for each rank: ranks, name, steps, and a file for losses."""
    return run_ranks("shards_of.fsdp_rank", *words)


def main(knead, work):
    print(f"\nfsdp: {STEPS} steps of a GPT on 2 ranks, zero3 and fully_shard")
    recipe = write_recipe("gpt", work)
    run([knead, "run", "--fresh", str(recipe), f"output={work}", "name=zero3", f"train={STEPS} steps", OPTIMIZER, "clip=null",
         "distributed={ranks: 2, strategy: zero3}"])
    run_fsdp(2, "gpt", STEPS, work / "fsdp.json")
    theirs, ours = json.loads((work / "fsdp.json").read_text()), losses(work / "zero3")
    far = relative(theirs, ours)
    print(f"losses {theirs[0]:.6f} to {theirs[-1]:.6f}, within {far:.2g} of each other"
          f"{'' if far <= MOST else f'   MORE THAN {MOST}'}", flush=True)
    return int(not far <= MOST)
