"""Runs programs and measures them."""
import json
import os
import subprocess
import sys
import tempfile
import time

# A process inherits the peak memory of the one that starts it, so a small one starts the program.
MEASURE = """
import json, os, sys, time
begin = time.perf_counter()
child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(child, 0)
with open(sys.argv[1], "w") as out:
    json.dump([time.perf_counter() - begin, usage.ru_maxrss / 1024], out)
sys.exit(1 if status else 0)
"""


class Failed(Exception):
    """A program ended with another code than 0; the text is what it said."""


def run(command):
    """Runs a command. Returns its wall seconds and the peak memory, in MB, of its largest process."""
    with tempfile.NamedTemporaryFile() as measured, tempfile.TemporaryFile() as said:
        starter = [sys.executable, "-I", "-S", "-c", MEASURE, measured.name, *map(str, command)]
        if subprocess.run(starter, stdout=said, stderr=said, stdin=subprocess.DEVNULL, check=False).returncode:
            said.seek(0)
            raise Failed(said.read().decode(errors="replace"))
        return tuple(json.load(open(measured.name, encoding="utf-8")))


def shared_peak(command, ranks):
    """Runs a command that starts so many ranks. Returns the peak memory, in MB, of the largest while all of them run. Memory
    that they share counts once: for each of n processes the n-th part. It is sampled every few milliseconds."""
    with tempfile.TemporaryFile() as said:
        with subprocess.Popen(list(map(str, command)), stdout=said, stderr=said, stdin=subprocess.DEVNULL) as process:
            peak = 0
            while process.poll() is None:
                now = list(map(proportional_kilobytes, below(process.pid)))
                if len(now) >= ranks and min(now) > 0:
                    peak = max(peak, *now)
                time.sleep(0.005)
        if process.returncode:
            said.seek(0)
            raise Failed(said.read().decode(errors="replace"))
        return peak / 1024


def below(pid):
    """Lists the processes that a process has started, and those that they have."""
    try:
        children = [int(child) for task in os.listdir(f"/proc/{pid}/task")
                    for child in open(f"/proc/{pid}/task/{task}/children", encoding="ascii").read().split()]
    except OSError:  # it has ended
        return []
    return children + [each for child in children for each in below(child)]


def proportional_kilobytes(pid):
    try:
        lines = open(f"/proc/{pid}/smaps_rollup", encoding="ascii").read().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def run_ranks(module, ranks, name, steps, losses=None):
    """Trains a workload with a module that is one rank, a process for each. Returns as run()."""
    with tempfile.TemporaryDirectory() as folder:
        script = ("import sys, subprocess\n"
                  "own = sys.argv[1:]\n"
                  f"ranks = [subprocess.Popen([sys.executable, '-m', '{module}', str(r), '{ranks}', *own])"
                  f" for r in range({ranks})]\n"
                  "sys.exit(max(rank.wait() for rank in ranks))\n")
        more = [losses] if losses else []
        return run([sys.executable, "-c", script, f"{folder}/rendezvous", name, steps, *more])
