"""Runs the participants of tools/compare/trials in turns and prints how long they take."""
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(sys.argv[1])
TRIALS = int(sys.argv[2]) if len(sys.argv) > 2 else 200
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 3
OBJECTIVE = Path(__file__).with_name("objective.py")
DATA = ROOT / "recipes/data/digits.csv"
RECIPE = """extends: [{root}/recipes/digits.yaml]
version: 1
name: trials
train: {{until: 10 steps}}
evaluate: {{every: 10 steps, metrics: []}}
expect: []
threads: 1
sweep:
  search: random
  trials: {trials}
  over:
    optimizer.lr: {{log: [1e-4, 1e-2]}}
    optimizer.weight_decay: {{range: [0.0, 0.1]}}
"""


def run(*commands):
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for command in commands]
    for process in processes:
        said, _ = process.communicate()
        if process.returncode != 0:
            sys.exit(f"{process.args[0]} failed:\n{said.decode(errors='replace')[-2000:]}")


def knead(work):
    (work / "recipe.yaml").write_text(RECIPE.format(root=ROOT, trials=TRIALS), encoding="utf-8")
    run([str(ROOT / "build/knead"), "sweep", str(work / "recipe.yaml"), "--jobs", "2", f"output={work}"])
    return TRIALS


def optuna_1(_):
    run([sys.executable, str(OBJECTIVE), "-", str(TRIALS), str(DATA)])
    return TRIALS


def optuna_2(work):
    half = TRIALS // 2
    command = [sys.executable, str(OBJECTIVE), str(work / "journal")]
    run([*command, str(half), str(DATA)], [*command, str(TRIALS - half), str(DATA)])
    return TRIALS


def python(_):
    trials = max(TRIALS // 20, 1)
    for _ in range(trials):
        run([sys.executable, str(OBJECTIVE), "-", "0", str(DATA)])
    return trials


PARTICIPANTS = {"knead": knead, "optuna 1": optuna_1, "optuna 2": optuna_2, "python": python}


def main():
    print(f"{TRIALS} trials of 10 steps on the digits, {ROUNDS} rounds, on {platform.machine()}", flush=True)
    seconds = {name: [] for name in PARTICIPANTS}
    for _ in range(ROUNDS):
        for name, participant in PARTICIPANTS.items():
            with tempfile.TemporaryDirectory(dir=ROOT / "build") as work:
                begin = time.perf_counter()
                trials = participant(Path(work))
                seconds[name].append((time.perf_counter() - begin) / trials)
    own = statistics.median(seconds["knead"])
    for name, each in seconds.items():
        one = statistics.median(each)
        print(f"{name:<10}{1 / one:8.1f} trials/s   {1000 * one:8.1f} ms each   knead takes {own / one:.3f} of that")


main()
