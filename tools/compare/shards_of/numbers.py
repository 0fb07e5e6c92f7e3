"""Trains under every strategy, and compares weights and losses with those of one process."""
from ranks_of import numbers as ranks_numbers
from ranks_of.numbers import MORE, OPTIMIZERS, farthest, losses, relative, weights
from ranks_of.processes import Failed, run
from ranks_of.workloads import ROOT
from shards_of.workloads import write_recipe

STRATEGIES = [(strategy, ranks, 1) for strategy in ("data_parallel", "zero1", "zero2", "zero3") for ranks in (1, 2, 3, 4)]
STRATEGIES += [("zero1", 4, 2), ("zero2", 4, 2), ("zero3", 4, 2)]
# Under these, fewer ranks say as much.
FEW = [("zero1", 3, 1), ("zero2", 2, 1), ("zero3", 2, 1), ("zero3", 4, 2)]
# What is compared with one process under the same keys.
VARIANTS = {
    "gpt, accumulation": ("gpt", ["batch={size: 15, micro: 3}"]),
    "gpt, bf16": ("gpt", ["precision=bf16"]),
    "gpt, fp16": ("gpt", ["precision=fp16"]),
    "gpt, average": ("gpt", ["average={type: ema, decay: 0.9}"]),
    "gpt, frozen": ("gpt", ['model.freeze=["*.attention.*", "position.*"]']),
    "gpt, activation checkpointing": ("gpt", ['activation_checkpointing=["blocks.*"]']),
    "gpt, clip by value": ("gpt", ["clip={value: 0.001}"]),
}
# bf16 rounds each product to 3 digits, so a difference in the last digit of a sum may become one in the third of a product.
MOST_OF = {"gpt, bf16": 1e-3, "gpt, fp16": 1e-3, **ranks_numbers.MOST_OF}
# BatchNorm sees the samples of one rank: compared with data_parallel on as many ranks.
BATCH_NORM = "resnet"


def train(knead, recipe, work, name, overrides, strategy=None):
    """Trains, and returns the weights and the losses."""
    command = [knead, "run", "--fresh", str(recipe), f"output={work}", f"name={name}", "expect=[]", "threads=1",
               "train=20 steps", "track.every=1 steps", *overrides]
    if strategy:
        kind, ranks, replicas = strategy
        command += [f"distributed={{ranks: {ranks}, strategy: {kind}, replicas: {replicas}}}"]
    run(command)
    return weights(work / name), losses(work / name)


def compare(knead, work, what, recipe, overrides, strategies):
    """Prints the largest differences for each strategy; returns how many are too large."""
    most = MOST_OF.get(what, ranks_numbers.MOST)
    wrong = 0
    file = what.replace(" ", "-").replace(",", "")
    one = {}
    for strategy in strategies:
        kind, ranks, replicas = strategy
        name = f"{kind} on {ranks}" + (f", {replicas} replicas" if replicas > 1 else "")
        base = ("data_parallel", ranks, 1) if what == BATCH_NORM else None
        try:
            if base not in one:
                one[base] = train(knead, recipe, work, f"{file}-one", overrides, base)
            there = train(knead, recipe, work, f"{file}-{kind}-{ranks}-{replicas}", overrides, strategy)
        except Failed as failed:
            print(f"{what:<30} {name:<24} FAILED: {str(failed).strip().splitlines()[-1]}", flush=True)
            wrong += 1
            continue
        far, loss = farthest(one[base][0], there[0]), relative(one[base][1], there[1])
        is_wrong = not (far <= most and loss <= max(1e-5, most))
        wrong += is_wrong
        print(f"{what:<30} {name:<24} parameters within {far:8.2g}   losses within {loss:8.2g}"
              f"{f'   MORE THAN {most}' if is_wrong else ''}", flush=True)
    return wrong


def main(knead, work):
    print(f"numbers: 20 steps under every strategy against one process; parameters may differ by {ranks_numbers.MOST}")
    wrong = 0
    for name in ("gpt", "vit", "lstm", BATCH_NORM):
        wrong += compare(knead, work, name, write_recipe(name, work), [], STRATEGIES)
    for what, (name, overrides) in VARIANTS.items():
        wrong += compare(knead, work, what, write_recipe(name, work), overrides, FEW)
    for optimizer, rate in OPTIMIZERS.items():
        wrong += compare(knead, work, f"digits {optimizer}", ROOT / "recipes/digits.yaml",
                         [f"optimizer={{type: {optimizer}, lr: {rate}{MORE.get(optimizer, '')}}}"], FEW)
    # After one step of plain gradient descent at rate 1 the weights differ by the difference of the gradients.
    return wrong + compare(knead, work, "gradient in float64", ROOT / "tools/compare/ranks_of/float64.yaml",
                           ["train=1 step"], STRATEGIES)
