"""The Python side of tools/compare/numbers: python -m matches KNEAD [--quick] [--keep FOLDER] [KIND …]"""

import argparse
import collections
import pathlib
import sys
import tempfile
import time

import torch

from . import table_of


def sum_up(lines, seconds):
    counts = collections.Counter(line.kind for line in lines)
    wrong = collections.Counter(line.kind for line in lines if not line.is_ok)
    for kind, count in counts.items():
        print(f"{kind:<12} {count:>4} comparisons, {wrong[kind]} failed")
    all_words = f"{len(lines):>4} comparisons, {sum(wrong.values())} failed, in {seconds:.0f} s"
    print(f"{'all':<12} {all_words}; PyTorch {torch.__version__}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("knead")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("kinds", nargs="*", choices=[*table_of.names(), []])
    asked = parser.parse_intermixed_args()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        if asked.keep:
            asked.keep.mkdir(parents=True)
            folder = asked.keep.resolve()
        lines = table_of.fill(asked.knead, folder, asked.kinds, asked.quick)
    sum_up(lines, time.monotonic() - begin)
    sys.exit(0 if lines and all(line.is_ok for line in lines) else 1)


if __name__ == "__main__":
    main()
