"""Starts boards of runs in turn and measures their first page; called by tools/compare/boards."""

import contextlib
import json
import math
import os
import pathlib
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

BIN = pathlib.Path(sys.executable).parent


def loss(run, line):
    return 2.3 * math.exp(-3 * line / 1000) + 0.01 * ((line * 7919 + run * 104729) % 97) / 97


def write_knead(folder, runs, lines):
    for run in range(runs):
        place = folder / f"run-{run:04}"
        (place / "checkpoints" / f"step-{lines:08}").mkdir(parents=True)
        (place / "LOCK").touch()
        (place / "end.json").write_text(json.dumps({"step": lines, "stopped_early": None}))
        (place / "resolved.yaml").write_text(f"version: 1\ntrain: {{until: {lines} steps}}\nevaluate: {{monitor: validation/loss}}\n")
        with open(place / "metrics.jsonl", "w") as journal:
            for line in range(1, lines + 1):
                row = dict(step=line, epoch=line / 47, samples=line * 32, time=line / 100, loss=loss(run, line), lr=0.001)
                row.update(gradient_norm=1.5, samples_per_second=3200.0, data_wait=0.0, skipped=0)
                journal.write(json.dumps(row) + "\n")
        (place / "evaluations.jsonl").write_text(
            "".join(json.dumps(dict(step=i, set="validation", loss=loss(run, i), seconds=0.1)) + "\n" for i in range(50, lines + 1, 50))
        )


def write_tensorboard(folder, runs, lines):
    from tensorboard.compat.proto import event_pb2, summary_pb2
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    for run in range(runs):
        writer = EventFileWriter(str(folder / f"run-{run:04}"))
        for line in range(1, lines + 1):
            values = [("train/loss", loss(run, line)), ("lr", 0.001), ("gradient_norm", 1.5), ("samples_per_second", 3200)]
            summary = summary_pb2.Summary(value=[summary_pb2.Summary.Value(tag=tag, simple_value=value) for tag, value in values])
            writer.add_event(event_pb2.Event(wall_time=line, step=line, summary=summary))
        writer.close()


def write_mlflow(folder, runs, lines):
    import mlflow
    from mlflow.entities import Metric

    mlflow.set_tracking_uri(f"sqlite:///{folder}/store.db")
    client = mlflow.MlflowClient()
    experiment = client.create_experiment("runs", artifact_location=str(folder / "artifacts"))
    for run in range(runs):
        made = client.create_run(experiment, run_name=f"run-{run:04}")
        points = [Metric("loss", loss(run, line), line, line) for line in range(1, lines + 1)]
        for begin in range(0, lines, 1000):
            client.log_batch(made.info.run_id, metrics=points[begin : begin + 1000])
        client.set_terminated(made.info.run_id)


def write_aim(folder, runs, lines):
    import aim

    for run in range(runs):
        made = aim.Run(repo=str(folder), experiment="runs", system_tracking_interval=None, log_system_params=False)
        for line in range(1, lines + 1):
            made.track(loss(run, line), name="loss", step=line)
        made.close()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def command(name, folder, port, knead):
    """Returns the command of a board and the address of its first page, as a function of what it has printed."""
    local = f"http://127.0.0.1:{port}"
    if name == "knead":
        return [knead, "board", folder], None
    if name == "tensorboard":
        return [BIN / "tensorboard", "--logdir", folder, "--port", str(port), "--host", "127.0.0.1"], local + "/data/runs"
    if name == "mlflow":
        store = ["--backend-store-uri", f"sqlite:///{folder}/store.db", "--workers", "1"]
        return [BIN / "mlflow", "server", "--host", "127.0.0.1", "--port", str(port), *store], local + "/"
    return [BIN / "aim", "up", "--repo", folder, "--host", "127.0.0.1", "--port", str(port)], local + "/"


def page_of(address):
    with contextlib.suppress(OSError):
        with urllib.request.urlopen(address, timeout=10) as answer:
            return answer.read()
    return b""


def memory_of(group):
    """Returns the MB of all processes of a group, shared pages divided among those that share them."""
    total = 0
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ProcessLookupError):
            if os.getpgid(int(process.name)) == group:
                total += sum(int(line.split()[1]) for line in open(process / "smaps_rollup") if line.startswith("Pss:"))
    return total / 1024


def measure(name, folder, runs, knead):
    port = free_port()
    words, address = command(name, folder, port, knead)
    begin = time.perf_counter()
    output = subprocess.PIPE if address is None else subprocess.DEVNULL
    with subprocess.Popen(words, stdout=output, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            if address is None:
                address = process.stdout.readline().decode().strip()
            while True:
                page = page_of(address)
                if page and (name != "tensorboard" or len(json.loads(page)) == runs):
                    break
                if time.perf_counter() - begin > 300 or process.poll() is not None:
                    raise SystemExit(f"{name} shows no page")
                time.sleep(0.01)
            return time.perf_counter() - begin, memory_of(process.pid)
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def main():
    knead = sys.argv[1]
    runs, lines, rounds = (int(word) for word in (sys.argv[2:] + ["20", "1000", "5"][len(sys.argv) - 2 :]))
    writers = {"knead": write_knead, "tensorboard": write_tensorboard, "mlflow": write_mlflow, "aim": write_aim}
    with tempfile.TemporaryDirectory() as name:
        folders = {}
        for board, write in writers.items():
            folder = pathlib.Path(name) / board
            folder.mkdir()
            try:
                write(folder, runs, lines)
                folders[board] = folder
            except ImportError:
                print(f"{board} is left out: this Python does not have it")
        found = {board: [] for board in folders}
        for _ in range(rounds):
            for board, folder in folders.items():
                found[board].append(measure(board, folder, runs, knead))
        print(f"{runs} runs of {lines} reports, median of {rounds}: seconds to the first page, MB then")
        own = None
        for board, pairs in found.items():
            seconds, memory = (statistics.median(column) for column in zip(*pairs))
            own = own or (seconds, memory)
            ratio = "" if board == "knead" else f"   knead: {own[0] / seconds:.3f} of the time, {own[1] / memory:.3f} of the memory"
            print(f"  {board:12} {seconds:8.3f} s {memory:8.1f} MB{ratio}")


main()
