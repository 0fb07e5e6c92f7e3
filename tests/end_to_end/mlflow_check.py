"""Holds what a server was sent of a run against the run's journals: every number once, in any order.

usage: mlflow_check.py PORT FOLDER [STATUS]
"""

import collections
import json
import pathlib
import sys
import urllib.request

FIELDS = ["epoch", "loss", "lr", "gradient_norm", "samples_per_second", "data_wait", "skipped"]
# A run that goes on from a checkpoint takes other times for the steps that it repeats; the first ones count.
TIMES = {"samples_per_second", "data_wait"}


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def wanted_of(folder):
    wanted = {}
    for report in lines(folder / "metrics.jsonl"):
        for field in FIELDS:
            wanted["train/" + field, report["step"]] = None if field in TIMES else report[field]
    for evaluation in lines(folder / "evaluations.jsonl"):
        for name, value in evaluation.items():
            if name not in ("step", "set", "seconds"):
                wanted[f"{evaluation['set']}/{name}", evaluation["step"]] = value
    return wanted


def main():
    port, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    dump = json.load(opener.open(f"http://127.0.0.1:{port}/dump"))
    runs = [run for run in dump["runs"] if run["name"] == folder.name]
    assert len(runs) == 1, f"{len(runs)} runs are called {folder.name}"
    run = runs[0]
    wanted = wanted_of(folder)
    counts = collections.Counter((metric["key"], metric["step"]) for metric in run["metrics"])
    twice = [point for point, count in counts.items() if count > 1]
    assert not twice, f"sent twice: {twice[:5]} and {len(twice)} in all"
    assert set(counts) == set(wanted), f"missing {sorted(set(wanted) - set(counts))[:5]}, too many {sorted(set(counts) - set(wanted))[:5]}"
    for metric in run["metrics"]:
        value = wanted[metric["key"], metric["step"]]
        assert value is None or value == metric["value"], (metric, value)
    assert run["params"]["optimizer.type"] == "adamw", run["params"]
    assert run["artifacts"]["recipe.yaml"] == (folder / "recipe.yaml").stat().st_size, run["artifacts"]
    if len(sys.argv) > 3:
        assert run["status"] == sys.argv[3], run["status"]
    assert "/elsewhere" not in dump["calls"], "a redirect was followed"


main()
