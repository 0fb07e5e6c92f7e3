"""Times a step under every strategy and with PyTorch's fully_shard."""
import statistics

from ranks_of.processes import run
from shards_of.fsdp import OPTIMIZER, run_fsdp
from shards_of.workloads import write_recipe

ROUNDS, STEPS = 5, 13
STRATEGIES = ("data_parallel", "zero1", "zero2", "zero3")


def main(knead, work):
    print(f"\nspeed: a GPT of 30 M parameters on 2 ranks, a thread each, {ROUNDS} rounds taking turns, medians")
    recipe = write_recipe("gpt-30m", work)

    def train(strategy, steps):
        return run([knead, "run", "--fresh", str(recipe), f"output={work}", f"name=speed-{strategy}", f"train={steps} steps",
                    "track.every=1000000 steps", OPTIMIZER, "clip=null",
                    f"distributed={{ranks: 2, strategy: {strategy}}}"])

    programs = {strategy: lambda steps, kind=strategy: train(kind, steps) for strategy in STRATEGIES}
    programs["fully_shard"] = lambda steps: run_fsdp(2, "gpt-30m", steps)
    times = {name: [] for name in programs}
    for _ in range(ROUNDS):
        for name, program in programs.items():
            first = program(1)[0]
            times[name].append(1000 * (program(STEPS)[0] - first) / (STEPS - 1))
    medians = {name: statistics.median(each) for name, each in times.items()}
    for name, each in times.items():
        print(f"  {name:<16}{medians[name]:8.1f} ms a step [{min(each):.1f} – {max(each):.1f}]"
              f"   {medians[name] / medians['fully_shard']:.2f} of fully_shard"
              f"   {medians[name] / medians['data_parallel']:.2f} of data_parallel", flush=True)
    return 0
