"""Trains recipes on several ranks and on one, and compares weights and losses."""
import json
import struct
from pathlib import Path

from ranks_of.processes import Failed, run
from ranks_of.workloads import ROOT

OPTIMIZERS = {
    "adamw": 1e-3, "adam": 1e-3, "sgd": 0.05, "adagrad": 0.01, "rmsprop": 1e-3, "nadam": 1e-3, "radam": 1e-3,
    "adamax": 1e-3, "adadelta": 1.0, "lion": 1e-4, "lamb": 1e-3, "adafactor": 1e-3, "muon": 1e-3,
}
MORE = {"muon": ", groups: [{ndim_below: 2, adamw: {}}]"}  # it is for matrices
# Models with BatchNorm, which sees the samples of one rank, as in PyTorch: other numbers, and nothing to compare.
BATCH_NORM = ("diabetes", "digits-cnn")
# Most of a difference, absolute, of a parameter after 20 steps: rounding, which adaptive optimizers amplify where a
# gradient is nearly zero.
MOST = 1e-6
MOST_OF = {
    "digits muon": 1e-3,  # it makes matrices orthogonal in bfloat16
    "digits rmsprop": 2e-6,  # its first step is ten times the rate, however small a gradient is
    "gradient in float64": 1e-12,
}
FORMATS = {"F32": "f", "F64": "d"}


def weights(folder):
    """The numbers of each weight of the last checkpoint, from one file or from those of all ranks."""
    numbers = {}
    last = max((folder / "checkpoints").glob("step-*"))
    for path in sorted(last.glob("model*.safetensors")):
        with open(path, "rb") as file:
            (size,) = struct.unpack("<Q", file.read(8))
            header = json.loads(file.read(size))
            body = file.read()
        for name, tensor in header.items():
            if name == "__metadata__" or tensor["dtype"] not in FORMATS:
                continue
            begin, end = tensor["data_offsets"]
            code = FORMATS[tensor["dtype"]]
            numbers[name] = struct.unpack(f"<{(end - begin) // struct.calcsize(code)}{code}", body[begin:end])
    return numbers


def losses(folder):
    return [json.loads(line)["loss"] for line in open(folder / "metrics.jsonl", encoding="utf-8")]


def evaluations(folder):
    lines = [json.loads(line) for line in open(folder / "evaluations.jsonl", encoding="utf-8")]
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


def farthest(one, other):
    return max((abs(a - b) for name in one for a, b in zip(one[name], other[name])), default=0.0)


def relative(one, other):
    return max((abs(a - b) / max(abs(a), 1e-12) for a, b in zip(one, other)), default=0.0)


def compare(knead, work, what, recipe, overrides):
    """Prints a line for each number of ranks; returns how many differ by more than MOST."""
    common = ["train=20 steps", "track.every=1 steps", "checkpoint.every=20 steps", "expect=[]", "threads=1",
              f"output={work}", *overrides]
    wrong, one = 0, None
    for ranks in (1, 2, 3, 4):
        name = f"{what.replace(' ', '-')}-{ranks}"
        try:
            run([knead, "run", str(recipe), f"distributed={ranks}", *common, f"name={name}"])
        except Failed as failed:
            complaint = [line for line in str(failed).splitlines() if "error" in line or line.startswith("knead:")]
            print(f"{what:<28} {ranks} ranks   not run: {(complaint or ['no reason'])[0]}")
            return wrong + (ranks > 1)
        folder = work / name
        if ranks == 1:
            one = weights(folder), losses(folder)
            continue
        far, loss = farthest(one[0], weights(folder)), relative(one[1], losses(folder))
        most = MOST_OF.get(what, MOST)
        is_wrong = not (far <= most and loss <= 1e-5)
        wrong += is_wrong
        print(f"{what:<28} {ranks} ranks   parameters within {far:8.2g}   losses within {loss:8.2g} of them"
              f"{f'   MORE THAN {most}' if is_wrong else ''}", flush=True)
    return wrong


def main(knead, work):
    print(f"numbers: 20 steps on 2, 3 and 4 ranks against one process; parameters may differ by {MOST}")
    wrong = 0
    for recipe in sorted((ROOT / "recipes").glob("*.yaml")):
        if recipe.stem in BATCH_NORM:
            print(f"{recipe.stem:<28} not compared: BatchNorm sees the samples of one rank")
            continue
        text = recipe.read_text(encoding="utf-8")
        short = ["schedule.warmup=2 steps"] if "warmup" in text else []
        short += ["model.args.dropout=0"] if "dropout" in text else []  # each rank draws other numbers
        wrong += compare(knead, work, recipe.stem, recipe, short)
    for optimizer, rate in OPTIMIZERS.items():
        wrong += compare(knead, work, f"digits {optimizer}", ROOT / "recipes/digits.yaml",
                         [f"optimizer={{type: {optimizer}, lr: {rate}{MORE.get(optimizer, '')}}}"])
    # After one step of plain gradient descent at rate 1 the weights differ by the difference of the gradients.
    wrong += compare(knead, work, "gradient in float64", Path(__file__).with_name("float64.yaml"), ["train=1 step"])
    return wrong
