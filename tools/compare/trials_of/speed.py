"""Runs the participants of tools/compare/trials in turns and prints how long they take."""
import importlib.metadata
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from trials_of.recipes import SWEEP

ROOT = Path(sys.argv[1])
TRIALS = int(sys.argv[2]) if len(sys.argv) > 2 else 200
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 3
OBJECTIVE = Path(__file__).with_name("objective.py")
DATA = ROOT / "recipes/data/digits.csv"
HYDRA = Path(__file__).with_name("hydra_trial.py")


def run(*commands):
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for command in commands]
    for process in processes:
        said, _ = process.communicate()
        if process.returncode != 0:
            sys.exit(f"{process.args[0]} failed:\n{said.decode(errors='replace')[-2000:]}")


def knead(work):
    (work / "recipe.yaml").write_text(SWEEP.format(root=ROOT, steps=10, trials=TRIALS), encoding="utf-8")
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


def hydra(work):
    rates = ",".join(f"{1e-4 * 100 ** (trial / TRIALS):.6g}" for trial in range(TRIALS))
    run([sys.executable, str(HYDRA), "--multirun", f"data={DATA}", f"lr={rates}", f"hydra.sweep.dir={work}"])
    return TRIALS


def hydra_1(work):
    trials = max(TRIALS // 20, 1)
    for trial in range(trials):
        run([sys.executable, str(HYDRA), f"data={DATA}", "lr=1e-3", f"hydra.run.dir={work}/{trial}"])
    return trials


PARTICIPANTS = {"knead": knead, "optuna 1": optuna_1, "optuna 2": optuna_2, "hydra": hydra, "hydra 1": hydra_1}


def main():
    print(f"{TRIALS} trials of 10 steps on the digits, {ROUNDS} rounds, on {platform.machine()}", flush=True)
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("torch", "optuna", "hydra-core"))
    print(f"Python {platform.python_version()}, {versions}", flush=True)
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
