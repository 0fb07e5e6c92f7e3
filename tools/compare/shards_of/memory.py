"""Measures the peak memory of a rank under every strategy, next to what `knead plan` says of it."""
import json
import subprocess

from ranks_of.processes import shared_peak
from shards_of.workloads import write_recipe

STEPS = 4


def main(knead, work):
    print(f"\nmemory: a GPT of 100 MB, AdamW, {STEPS} steps, each saved; peak of the largest rank above a small model's, "
          "memory that ranks share counted once")
    recipe = write_recipe("gpt-100mb", work)
    small = write_recipe("gpt", work)

    def options(strategy, ranks, *more):
        return ["optimizer={type: adamw, lr: 1e-4}", f"train={STEPS} steps", "checkpoint.every=1 step",
                f"distributed={{ranks: {ranks}, strategy: {strategy}}}", *more]

    def peak(ranks, file, name, *more):
        return shared_peak([knead, "run", "--fresh", str(file), f"output={work}", f"name={name}", *more], ranks)

    def planned(file, strategy, *more):
        page = json.loads(subprocess.run([knead, "plan", "--format", "json", str(file), f"output={work}/planned", *more], check=True,
                                         capture_output=True).stdout)
        return page["strategies"]["memory"][strategy]["together"] / 1e6

    worst = 0
    for ranks in (2, 4):
        base, base_planned, whole = {}, {}, None
        for strategy, words, more in (
                *((each, "", ()) for each in ("data_parallel", "zero1", "zero2", "zero3")),
                *((each, ", state on a disk", (f"distributed.offload={{path: {work}}}",))
                  for each in ("data_parallel", "zero2")),
                ("zero3", ", all on a disk", (f"distributed.offload={{what: parameters, path: {work}}}",))):
            how = options(strategy, ranks, *more)
            if strategy not in base:
                base[strategy] = peak(ranks, small, "base", *how)
                base_planned[strategy] = planned(small, strategy, *how)
            own = peak(ranks, recipe, f"{strategy}-{ranks}", *how) - base[strategy]
            expected = planned(recipe, strategy, *how) - base_planned[strategy]
            whole = whole or own
            worst = max(worst, abs(own / expected - 1))
            print(f"{strategy + words:<32} {ranks} ranks   {own:6.0f} MB   planned {expected:5.0f} MB"
                  f"   {own / expected:.2f} of it   {own / whole:.2f} of data_parallel", flush=True)
    print(f"largest difference to the plan: {worst:.0%}")
    return 0
