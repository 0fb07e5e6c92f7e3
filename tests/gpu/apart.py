"""How far the losses of two runs are apart, relative to their size: apart.py BOUND RUN RUN. Exit code 1 beyond BOUND."""
import json
import sys


def losses_of(folder):
    return {line["step"]: line["loss"] for line in map(json.loads, open(f"{folder}/metrics.jsonl", encoding="utf-8"))}


bound = float(sys.argv[1])
first, second = map(losses_of, sys.argv[2:])
assert first and first.keys() == second.keys(), "the runs have other steps"
apart = {step: abs(first[step] - second[step]) / max(abs(first[step]), 1e-12) for step in first}
far, begin, last = max(apart.values()), min(apart), max(apart)
print(f"losses within {far:.1e} of each other, the first within {apart[begin]:.1e}; the last {first[last]:.6g} and {second[last]:.6g}")
sys.exit(far > bound)
