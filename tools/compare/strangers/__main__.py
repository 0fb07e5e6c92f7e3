"""Trains the models of models.jsonl with PyTorch and with knead and prints what became of each: see tools/compare/movers."""

import argparse
import collections
import concurrent.futures
import itertools
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from . import repositories
from .reference import RATE, SEED

STEPS = 5
BOUND = 1e-4  # relative: sums in another order, over five steps of training
LOSS = "def loss(output: Tensor, batch: Dict[str, Tensor]) -> Tensor:\n    return output.float().square().mean()\n"
KINDS = ("works", "refused clearly", "refused badly", "wrong", "crashed")


def call(*command, **more):
    try:
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **more)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(late.cmd, 124, "", "longer than 300 s")


def recipe_of(entry, folder, data, name, steps):
    model = {"source": str(folder / entry["path"]), "class": entry["class"], "args": entry["args"],
             "inputs": list(entry["inputs"])}
    if entry.get("output") is not None:
        model["output"] = entry["output"]
    size = next(iter(entry["inputs"].values()))["shape"][0]
    return {
        "version": 1, "name": name, "seed": SEED, "threads": 1, "device": "cpu", "model": model,
        "data": {"train": {"type": "npz", "path": str(data), "fields": {field: field for field in entry["inputs"]}},
                 "shuffle": False},
        "loss": {"type": "script", "code": LOSS}, "batch": size, "optimizer": {"type": "sgd", "lr": RATE},
        "train": f"{steps} steps", "track": {"every": "1 step"},
    }


def apart(ours, theirs):
    """The largest relative difference of two lists; infinite if their lengths differ or a number is not one."""
    if len(ours) != len(theirs):
        return float("inf")
    differences = [0.0 if a == b else abs(a - b) / max(abs(a), abs(b)) for a, b in zip(ours, theirs)]
    return max(differences) if all(one == one for one in differences) else float("inf")


def judged(entry, folder, knead, work):
    """Returns a kind and what there is to say."""
    data = work / "data.npz"
    reference = call(sys.executable, "-m", "strangers.reference", folder, data, STEPS, input=json.dumps(entry), cwd=work)
    if reference.returncode:
        return "left out", "PyTorch: " + (reference.stderr.strip().splitlines() or ["?"])[-1]
    expected = json.loads(reference.stdout.strip().splitlines()[-1])
    # Some models diverge; a NaN ends a run of knead.
    steps = sum(1 for _ in itertools.takewhile(math.isfinite, map(sum, zip(expected["losses"], expected["norms"]))))
    if steps == 0:
        return "left out", "PyTorch: the first loss or gradient is not finite"
    recipe = work / "recipe.yaml"
    recipe.write_text(json.dumps(recipe_of(entry, folder, data, "model", steps), indent=1))
    for verb in ("lint", "plan", "run"):
        result = call(knead, verb, recipe, *([] if verb == "lint" else [f"output={work}"]))
        if result.returncode < 0 or result.returncode >= 128 or "was ended by SIG" in result.stderr:
            return "crashed", f"{verb}: exit code {result.returncode}"
        if result.returncode:
            said = result.stderr if verb != "lint" else result.stdout + result.stderr
            place = re.search(r"^(\S+:\d+:\d+): error: (.*)", said, re.M)
            words = f"{verb}: {place.group(2)}" if place else f"{verb}: {said.strip()[:200]}"
            return ("refused clearly" if place else "refused badly"), words
    reports = [json.loads(line) for line in (work / "model/metrics.jsonl").read_text().splitlines()]
    loss = apart([float(one["loss"]) for one in reports], expected["losses"][:steps])
    norm = apart([float(one["gradient_norm"]) for one in reports], expected["norms"][:steps])
    words = f"{'losses equal' if loss == 0 else f'losses within {loss:.0e}'}, gradient norms within {norm:.0e}"
    return ("works" if max(loss, norm) <= BOUND else "wrong"), words


def tried(entry, knead, cache):
    """Returns the entry's name, a kind and what there is to say."""
    name = f"{entry['repository']}/{entry['path']}:{entry['class']}"
    with tempfile.TemporaryDirectory() as work:
        try:
            folder = repositories.tree(entry["repository"], entry["commit"], cache)
            return name, *judged(entry, folder, knead, pathlib.Path(work))
        except repositories.Unreachable as problem:
            return name, "left out", f"not fetched: {problem}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("cache", type=pathlib.Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    os.environ.update(OMP_NUM_THREADS="1", MPLBACKEND="Agg", CUDA_VISIBLE_DEVICES="")
    lines = (pathlib.Path(__file__).parent / "models.jsonl").read_text().splitlines()
    entries = [entry for entry in map(json.loads, lines)
               if options.only in f"{entry['repository']}/{entry['path']}:{entry['class']}"]
    counts, equal, blocked = collections.Counter(), 0, collections.Counter()
    # Nothing is timed, so the models may run side by side.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, kind, words in pool.map(lambda entry: tried(entry, options.program, options.cache), entries):
            counts[kind] += 1
            equal += words.startswith("losses equal")
            if kind.startswith("refused"):
                blocked[re.sub(r"'[^']*'", "'…'", words)] += 1
            print(f"{kind:<16} {name}  {words}", flush=True)
    total = sum(counts[kind] for kind in KINDS) or 1
    print()
    for kind in (*KINDS, "left out"):
        share = "" if kind == "left out" else f"{100 * counts[kind] / total:6.1f} %"
        print(f"{kind:<16} {counts[kind]:4} {share}")
    print(f"losses of {STEPS} steps equal to the last bit: {equal} of {counts['works']}\n")
    for words, count in blocked.most_common(20):
        print(f"{count:4}  {words}")


if __name__ == "__main__":
    main()
