"""usage: python -m ranks_of KNEAD [numbers] [ddp] [speed]"""
import json
import os
import pathlib
import platform
import statistics
import sys
import tempfile

import torch

from ranks_of import numbers
from ranks_of.processes import run, run_ranks
from ranks_of.workloads import WORKLOADS, write_recipe

ROUNDS = 5
# Most of a relative difference between a loss of knead and of DDP: rounding over 50 steps.
MOST = 1e-5


def ddp(knead, work):
    """Compares the losses of 50 steps on two ranks; returns how many workloads differ."""
    print("\nddp: 50 steps on 2 ranks, knead and DistributedDataParallel")
    wrong = 0
    for name in WORKLOADS:
        recipe = write_recipe(name, work)
        run([knead, "run", str(recipe), "distributed=2", f"output={work}", f"name=ddp-{name}"])
        run_ranks("ranks_of.ddp", 2, name, 50, work / f"{name}.json")
        theirs = json.loads((work / f"{name}.json").read_text())
        ours = numbers.losses(work / f"ddp-{name}")
        far = numbers.relative(theirs, ours)
        wrong += not far <= MOST
        print(f"{name:<10} losses {theirs[0]:.6f} to {theirs[-1]:.6f}, within {far:.2g} of each other"
              f"{'   MORE THAN ' + str(MOST) if not far <= MOST else ''}", flush=True)
    return wrong


def speed(knead, work):
    print(f"\nspeed: 2 ranks, a thread each, {ROUNDS} rounds taking turns, medians [least – most]")
    for name in WORKLOADS:
        recipe = write_recipe(name, work)
        steps = {"mlp": 60, "gpt": 120, "resnet18": 12}[name]
        quiet = ["track.every=1000000 steps", f"output={work}", f"name=speed-{name}"]

        def train(overrides, count):
            return run([knead, "run", "--fresh", str(recipe), *quiet, f"train={count} steps", *overrides])

        programs = {
            "knead": lambda count: train(["distributed=2"], count),
            "DDP": lambda count: run_ranks("ranks_of.ddp", 2, name, count),
            "knead, 1 rank": lambda count: train(["distributed=1"], count),
            "knead, no ranks": lambda count: train([], count),
        }
        starts, walls, peaks = ({program: [] for program in programs} for _ in range(3))
        for _ in range(ROUNDS):
            for program, measured in programs.items():
                starts[program].append(measured(1)[0])
                seconds, peak = measured(steps)
                walls[program].append(seconds)
                peaks[program].append(peak)
        print(f"{name:<18}{'start s':>22}{'a step ms':>26}{'peak MB':>9}")
        medians = {}
        for program in programs:
            each = [1000 * (wall - start) / (steps - 1) for wall, start in zip(walls[program], starts[program])]
            medians[program] = statistics.median(starts[program]), statistics.median(each), max(peaks[program])
            print(f"  {program:<16}{spread(starts[program], 2):>22}{spread(each, 1):>26}{medians[program][2]:>9.0f}")
        ratios = [ours / theirs for ours, theirs in zip(medians["knead"], medians["DDP"])]
        alone = medians["knead, 1 rank"][1] / medians["knead, no ranks"][1]
        print(f"  knead ÷ DDP: start {ratios[0]:.2f}, step {ratios[1]:.2f}, memory {ratios[2]:.2f};"
              f" a step of distributed: 1 ÷ without: {alone:.3f}", flush=True)
    return 0


def spread(values, digits):
    return f"{statistics.median(values):.{digits}f} [{min(values):.{digits}f} – {max(values):.{digits}f}]"


def main(knead, parts):
    model = next(line for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("model name"))
    print(f"machine    {model.split(': ')[1].strip()}, {os.cpu_count()} threads, load {os.getloadavg()[0]:.2f}")
    print(f"python     {platform.python_version()}, PyTorch {torch.__version__}")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for part in parts or ["numbers", "ddp", "speed"]:
            wrong += {"numbers": numbers.main, "ddp": ddp, "speed": speed}[part](knead, work)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
