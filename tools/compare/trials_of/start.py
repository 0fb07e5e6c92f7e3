"""Prints how long a trial takes from its request to the warm engine until its first step is said."""
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from trials_of.recipes import RUN

ROOT = Path(sys.argv[1])
TRIALS = int(sys.argv[2]) if len(sys.argv) > 2 else 100
# What the front sets for an engine: how malloc keeps memory, and how long threads spin.
SETTINGS = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1:glibc.malloc.trim_threshold=4294967296:"
                              "glibc.malloc.mmap_threshold=33554432", "GOMP_SPINCOUNT": "10000"}
STEP = b"step  1/10"  # of the console, which says the first one at once


def milliseconds_to_first_step(calls, output, words):
    """Starts a run and waits for its end."""
    begin = time.perf_counter()
    calls.stdin.write(f"start {output} run {words}\nwait\n".encode())
    calls.stdin.flush()
    first = None
    with open(output, "rb", buffering=0) as said:
        text = b""
        while part := said.read(65536):
            text += part
            if first is None and STEP in text:
                first = 1000 * (time.perf_counter() - begin)
    end = calls.stdout.readline()
    if first is None or not end.endswith(b"exit 0\n"):
        sys.exit(f"a run ended with {end.decode()}{text.decode(errors='replace')}")
    return first


def main():
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
        work = Path(folder)
        recipe, output = work / "recipe.yaml", work / "said"
        recipe.write_text(RUN.format(root=ROOT, steps=10), encoding="utf-8")
        os.mkfifo(output)
        command = [str(ROOT / "build/warm_calls"), str(ROOT / "build/knead-engine")]
        environment = SETTINGS | os.environ
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as calls:
            times = [
                milliseconds_to_first_step(calls, output, f"{recipe} -- output={work} name=trial-{trial} track.every=1steps optimizer.lr=1e-{trial % 4}")
                for trial in range(TRIALS + 1)
            ]
            calls.stdin.close()
    first, others = times[0], sorted(times[1:])
    print(f"from request to first step, digits: median {statistics.median(others):.1f} ms, "
          f"from {others[0]:.1f} to {others[-1]:.1f} ({TRIALS} trials); the first, which waits for the engine: {first:.0f} ms")


main()
