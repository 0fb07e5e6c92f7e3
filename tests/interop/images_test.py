"""Pillow and PyTorch still make of tests/fixtures/images what is written there: images_test.py ROOT"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile


def differences(ours, theirs, place=""):
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        return [d for key in ours for d in differences(ours[key], theirs[key], f"{place}.{key}")]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [d for i, pair in enumerate(zip(ours, theirs)) for d in differences(*pair, f"{place}[{i}]")]
    if isinstance(ours, float) and math.isclose(ours, theirs, rel_tol=1e-5, abs_tol=1e-6):
        return []
    return [] if ours == theirs else [f"{place}: {theirs} in the fixture, {ours} now"]


def main():
    root = pathlib.Path(sys.argv[1])
    kept = root / "tests/fixtures/images"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, root / "tools/record_images", folder, kept], check=True)
        made = json.loads((pathlib.Path(folder) / "expected.json").read_text())
    found = differences(made, json.loads((kept / "expected.json").read_text()))
    assert not found, "\n".join(found[:10])


main()
