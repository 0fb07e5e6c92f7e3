"""Every third case of the table of tools/compare/numbers: no line fails, and there are enough of each kind.

usage: numbers_test.py KNEAD ROOT
"""

import collections
import os
import pathlib
import sys
import tempfile

# Before PyTorch is there: a thread for each core would wait for those of knead.
os.environ["OMP_NUM_THREADS"] = "1"
sys.dont_write_bytecode = True

# Of every third case.
LEAST = {"optimizer": 40, "loss": 60, "batch": 15, "schedule": 15, "clip": 9, "non_finite": 3, "average": 15, "precision": 25,
         "model": 80, "archive": 35, "dtype": 12, "metric": 25, "init": 5}


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    sys.path.insert(0, str(root / "tools/compare"))
    from matches import table_of

    with tempfile.TemporaryDirectory() as folder:
        lines = table_of.fill(program, pathlib.Path(folder), quick=True)
    wrong = [str(line) for line in lines if not line.is_ok]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(lines)} comparisons fail:", *wrong])
    counts = collections.Counter(line.kind for line in lines)
    few = {kind: counts[kind] for kind, least in LEAST.items() if counts[kind] < least}
    assert not few, f"there are too few comparisons: {few}"
    print(f"{len(lines)} comparisons")


main()
