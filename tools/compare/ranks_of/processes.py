"""Runs programs and measures them."""
import os
import subprocess
import sys
import tempfile
import time


class Failed(Exception):
    """A program ended with another code than 0; the text is what it said."""


def run(command):
    """Runs a command. Returns its wall seconds and the peak memory, in MB, of its largest process."""
    with tempfile.TemporaryFile() as said:
        begin = time.perf_counter()
        child = subprocess.Popen(command, stdout=said, stderr=said, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        seconds = time.perf_counter() - begin
        if status:
            said.seek(0)
            raise Failed(said.read().decode(errors="replace"))
    return seconds, usage.ru_maxrss / 1024


def run_ddp(ranks, name, steps, losses=None):
    """Trains a workload with DDP, a process for each rank. Returns as run()."""
    with tempfile.TemporaryDirectory() as folder:
        script = ("import sys, subprocess\n"
                  "own = sys.argv[1:]\n"
                  f"ranks = [subprocess.Popen([sys.executable, '-m', 'ranks_of.ddp', str(r), '{ranks}', *own])"
                  f" for r in range({ranks})]\n"
                  "sys.exit(max(rank.wait() for rank in ranks))\n")
        more = [losses] if losses else []
        return run([sys.executable, "-c", script, f"{folder}/rendezvous", name, str(steps), *map(str, more)])
