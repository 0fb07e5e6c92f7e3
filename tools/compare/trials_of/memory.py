"""Prints the peak memory of a front that sweeps many trials."""
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from trials_of.recipes import SWEEP

ROOT = Path(sys.argv[1])
TRIALS = int(sys.argv[2]) if len(sys.argv) > 2 else 2000


def peak_of(command):
    """Returns the last VmHWM in MB that was seen of a process, itself alone, and its seconds."""
    begin, peak = time.perf_counter(), 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
            if found := re.search(r"VmHWM:\s+(\d+) kB", status):
                peak = int(found[1]) / 1000
            time.sleep(0.01)
    if process.returncode != 0:
        sys.exit(f"knead ended with {process.returncode}")
    return peak, time.perf_counter() - begin


def main():
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
        work = Path(folder)
        recipe = work / "recipe.yaml"
        recipe.write_text(SWEEP.format(root=ROOT, steps=1, trials=TRIALS), encoding="utf-8")
        command = [str(ROOT / "build/knead"), "sweep", str(recipe), "--jobs", "2", f"output={work}"]
        for what in (f"that trains {TRIALS} trials", f"that finds {TRIALS} finished trials"):
            peak, seconds = peak_of(command)
            print(f"front {what}: peak {peak:.1f} MB, {seconds:.1f} s", flush=True)


main()
