"""The recorders of tests/fixtures/training make its files again, with the PyTorch that runs this.

usage: training_test.py ROOT
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile


def without_bounds(value):
    """What is recorded, without how far it may be off: that is an estimate, and takes minutes."""
    if isinstance(value, dict):
        return {key: without_bounds(part) for key, part in value.items() if key != "bound"}
    return [without_bounds(part) for part in value] if isinstance(value, list) else value


def differences(ours, theirs, same_bits, place=""):
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        return [d for key in ours for d in differences(ours[key], theirs[key], same_bits, f"{place}.{key}")]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [d for i, pair in enumerate(zip(ours, theirs)) for d in differences(*pair, same_bits, f"{place}[{i}]")]
    if isinstance(ours, float) and not same_bits and math.isclose(ours, theirs, rel_tol=1e-4, abs_tol=1e-6):
        return []
    return [] if ours == theirs else [f"{place}: {theirs} in the fixture, {ours} now"]


def main():
    root = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, root / "tools/record_training", folder], check=True)
        for name in ("averages", "losses", "optimizers", "schedules"):
            file = pathlib.Path(folder) / f"{name}.json"
            option = ["--without-bounds"] if name == "optimizers" else []
            subprocess.run([sys.executable, root / f"tools/record_{name}", file, *option], check=True)
        made = {file.name: json.loads(file.read_text()) for file in pathlib.Path(folder).iterdir()}
    kept = {file.name: json.loads(file.read_text()) for file in (root / "tests/fixtures/training").iterdir()}
    assert made.keys() == kept.keys(), (made.keys(), kept.keys())
    for name, fixture in kept.items():
        # Another processor may have other kernels, which round differently.
        same_bits = made[name].pop("processor", None) == fixture.pop("processor", None)
        found = differences(without_bounds(made[name]), without_bounds(fixture), same_bits)
        assert not found, "\n".join([name, *found[:10]])


main()
