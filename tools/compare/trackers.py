"""What the sinks of a run cost a step; tools/compare/trackers says more. usage: trackers.py ROOT ROUNDS"""

import json
import pathlib
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time

FILES = "tensorboard, csv, wandb, dvclive, prometheus"
WORKLOADS = {
    "digits": (["recipes/digits.yaml", "train=6000 steps", "expect=[]"], "track.every=10 steps"),
    "digits, each step": (["recipes/digits.yaml", "train=6000 steps", "expect=[]"], "track.every=1 step"),
    "gpt": (["recipes/gpt.yaml", "train=300 steps", "expect=[]", "evaluate.every=300 steps", "data.train.url=null", "data.train.sha256=null",
             "data.train.path=TEXT"], "track.every=10 steps"),
}


def steps_of(folder):
    """The seconds of each step, from report to report; the first tenth is left out, and what an evaluation or a save is in."""
    reports = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [(b["time"] - a["time"]) / (b["step"] - a["step"]) for a, b in zip(reports, reports[1:])][len(reports) // 10 :]


def main():
    root, rounds = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder, socket.socket() as hole:
        work = pathlib.Path(folder)
        hole.bind(("127.0.0.1", 0))
        hole.listen()
        server = subprocess.Popen([sys.executable, root / "tests/end_to_end/mlflow_stand_in.py", work / "port"])
        while not (work / "port").exists():
            time.sleep(0.05)
        # What a GPT learns does not matter here.
        letters = random.Random(0).choices("abcdefghijklmnopqrstuvwxyz \n", k=1 << 20)
        (work / "text").write_text("".join(letters))
        ports = {"all": int((work / "port").read_text()), "down": hole.getsockname()[1]}
        sinks = {"none": "", "files": FILES}
        sinks.update({name: f"{FILES}, {{type: mlflow, url: 'http://127.0.0.1:{port}'}}" for name, port in ports.items()})
        try:
            for workload, (words, every) in WORKLOADS.items():
                means, tails = {name: [] for name in sinks}, {name: [] for name in sinks}
                for i in range(rounds):
                    for name in sinks:
                        run = [root / "build/knead-engine", "run", root / words[0], "--", *(word.replace("TEXT", str(work / "text")) for word in words[1:]), every, f"track.to=[{sinks[name]}]"]
                        done = subprocess.run([*run, f"output={work}", f"name=run-{name}-{i}", "threads=1"], capture_output=True, text=True)
                        assert done.returncode == 0, done.stderr
                        steps = sorted(steps_of(work / f"run-{name}-{i}"))
                        subprocess.run(["rm", "-r", work / f"run-{name}-{i}"], check=True)
                        means[name].append(statistics.median(steps))
                        tails[name].append(steps[len(steps) * 99 // 100])
                print(workload)
                for name in sinks:
                    mean, tail = statistics.median(means[name]), statistics.median(tails[name])
                    ratio = mean / statistics.median(means["none"]) - 1
                    print(f"  {name:6} {1e6 * mean:10.1f} µs a step  {100 * ratio:+6.1f} %   p99 {1e6 * tail:10.1f} µs")
        finally:
            server.kill()


main()
