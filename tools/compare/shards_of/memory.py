"""Measures the peak memory of a rank under every strategy."""
from ranks_of.processes import run
from shards_of.workloads import write_recipe

STEPS = 3


def main(knead, work):
    print(f"\nmemory: a GPT of 100 MB, AdamW, {STEPS} steps; peak of the largest rank")
    recipe = write_recipe("gpt-100mb", work)
    small = write_recipe("gpt", work)

    def peak(file, strategy, ranks, name, *more):
        options = [f"output={work}", f"name={name}", f"train={STEPS} steps", "optimizer={type: adamw, lr: 1e-4}",
                   f"distributed={{ranks: {ranks}, strategy: {strategy}}}", *more]
        return run([knead, "run", "--fresh", str(file), *options])[1]

    for ranks in (2, 4):
        base = peak(small, "data_parallel", ranks, "base")
        whole = None
        for strategy in ("data_parallel", "zero1", "zero2", "zero3"):
            own = peak(recipe, strategy, ranks, f"{strategy}-{ranks}") - base
            whole = whole or own
            print(f"{strategy:<14} {ranks} ranks   {own:7.0f} MB above a small model's {base:.0f}   {own / whole:.2f} of"
                  f" data_parallel", flush=True)
        for strategy in ("data_parallel", "zero2"):
            own = peak(recipe, strategy, ranks, f"{strategy}-{ranks}-disk", f"distributed.offload={{path: {work}}}") - base
            print(f"{strategy:<14} {ranks} ranks   {own:7.0f} MB, the optimizer's state on a disk   {own / whole:.2f} of"
                  " data_parallel", flush=True)
    return 0
