"""What knead gives to other trackers is read by them: W&B, DVC, promtool, and an MLflow server that is killed and held.

usage: trackers_test.py KNEAD ROOT FOLDER

FOLDER holds virtual environments called mlflow, wandb and dvc.
"""

import collections
import json
import math
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

FIELDS = ["epoch", "loss", "lr", "gradient_norm", "samples_per_second", "data_wait", "skipped"]
TIMES = {"train/samples_per_second", "train/data_wait"}
HERE = pathlib.Path(__file__).parent / "trackers"


def json_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def points_of(folder):
    """All numbers of a run's journals, by metric and step."""
    points = {}
    for report in json_lines(folder / "metrics.jsonl"):
        points.update({("train/" + field, report["step"]): report[field] for field in FIELDS})
    for each in json_lines(folder / "evaluations.jsonl"):
        points.update({(f"{each['set']}/{name}", each["step"]): value for name, value in each.items() if name not in ("step", "set", "seconds")})
    return points


def output_of(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


class Mlflow:
    """A server of MLflow with its database in a folder."""

    def __init__(self, python, folder):
        self.python, self.folder = python, folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        words = ["-m", "mlflow", "server", "--backend-store-uri", f"sqlite:///{self.folder}/db", "--artifacts-destination", f"{self.folder}/artifacts"]
        words += ["--host", "127.0.0.1", "--port", str(self.port), "--workers", "1"]
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen([self.python, *words], stdout=log, stderr=log, start_new_session=True)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        for _ in range(600):
            try:
                assert opener.open(self.url + "/health", timeout=1).read() == b"OK"
                return
            except OSError:
                time.sleep(0.2)
        raise AssertionError((self.folder / "log").read_text())

    def signal(self, number):
        os.killpg(self.process.pid, number)
        if number == signal.SIGKILL:
            self.process.wait()

    def run(self, folder):
        return json.loads(output_of(self.python, HERE / "read_mlflow.py", self.url, folder))

    def expect_all(self, folder, status="FINISHED"):
        """Every number of the journals is there once. Times that a killed run has taken twice may be the first ones."""
        run, wanted = self.run(folder), points_of(folder)
        counts = collections.Counter((key, step) for key, step, _ in run["points"])
        twice = [point for point, count in counts.items() if count > 1]
        missing, extra = set(wanted) - set(counts), set(counts) - set(wanted)
        assert not twice and not missing and not extra, (folder, twice[:3], sorted(missing)[:3], sorted(extra)[:3])
        wrong = [(key, step, value) for key, step, value in run["points"] if key not in TIMES and wanted[key, step] != value]
        assert not wrong, wrong[:3]
        assert run["status"] == status, run["status"]
        return run


class Knead:
    def __init__(self, program, root, output):
        self.program, self.root, self.output = program, root, output

    def words(self, name, *overrides):
        return [str(self.program), "run", str(self.root / "recipes/digits.yaml"), f"output={self.output}", f"name={name}", "threads=1", "expect=[]", *overrides]

    def run(self, name, *overrides):
        done = subprocess.run(self.words(name, *overrides), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stderr

    def track(self, name, sink, *settings):
        return output_of(self.program, "track", "--to", sink, self.output / name, *settings)


def stop_and_go_on(knead, name, *overrides):
    engine = knead.program.parent / "knead-engine"
    words = knead.words(name, *overrides)
    stopped = subprocess.run([engine, "run", "--stop-after=100", words[2], "--", *words[3:]], capture_output=True, text=True)
    assert stopped.returncode == 75, stopped.stderr
    knead.run(name, *overrides)


def check_wandb(python, folder):
    files = list(folder.glob("wandb/offline-run-*/run-*.wandb"))
    assert len(files) == 1, files
    records = json.loads(output_of(python, HERE / "read_wandb.py", files[0]))
    assert [int(record["num"]) for record in records] == list(range(1, len(records) + 1))
    run, exit_record = records[0]["run"], records[-1]["exit"]
    assert run["project"] == "trackers" and run["display_name"] == folder.name and run["run_id"] in files[0].name, run
    config = {item["key"]: json.loads(item["value_json"]) for item in run["config"]["update"]}
    assert config["optimizer.lr"] == 1e-3 and config["optimizer.type"] == "adamw", config
    assert "exit_code" not in exit_record, exit_record
    wanted, seen, steps = points_of(folder), {}, []
    for record in records:
        if "history" not in record:
            continue
        row = {item["key"]: json.loads(item["value_json"]) for item in record["history"]["item"]}
        steps.append(row["_step"])
        for key, value in row.items():
            if not key.startswith("_"):
                seen[key, row["_step"]] = value
    assert steps == sorted(set(steps)), steps
    assert seen == wanted, set(seen.items()) ^ set(wanted.items())
    summary = {item["key"]: json.loads(item["value_json"]) for item in records[-2]["summary"]["update"]}
    assert summary["train/loss"] == wanted["train/loss", max(steps)], summary


def check_wandb_texts(python, knead):
    """A text stands in the row of its step, with its prompt."""
    words = ["data.train.url=null", "data.train.sha256=null", f"data.train.path={knead.root}/README.md", "data.train.tokenizer=bytes", "data.train.context=32"]
    words += ["model.args.config={vocab: 256, context: 32, layers: 1, heads: 2, width: 32}", "train=20 steps", "schedule=null"]
    words += ["evaluate={every: 10 steps, generate: {prompts: ['knead '], tokens: 20}}", "track.to=[{type: wandb, project: trackers}]"]
    output_of(knead.program, "run", knead.root / "recipes/gpt.yaml", f"output={knead.output}", "name=texts", "expect=[]", *words)
    folder = knead.output / "texts"
    records = json.loads(output_of(python, HERE / "read_wandb.py", next(folder.glob("wandb/offline-run-*/run-*.wandb"))))
    rows = [{item["key"]: json.loads(item["value_json"]) for item in record["history"]["item"]} for record in records if "history" in record]
    seen = {row["_step"]: row["generated/1"] for row in rows if "generated/1" in row}
    assert seen == {line["step"]: line["prompt"] + line["text"] for line in json_lines(folder / "generated.jsonl")}, seen


def check_dvc(python, knead, work):
    repository = work / "repository"
    repository.mkdir()
    environment = dict(os.environ, HOME=str(work), DVC_NO_ANALYTICS="1")

    def tool(*words):
        return output_of(*words, cwd=repository, env=environment)

    tool("git", "init", "--quiet")
    tool("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "--message", "0")
    tool(python, "-m", "dvc", "init", "--quiet")
    to = f"track.to={{type: dvclive, path: {repository / 'live'}}}"
    knead.run("slow", to, "train=2 epochs")
    tool("git", "add", "--all")
    tool("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "1")
    knead.run("fast", to, "train=2 epochs", "optimizer.lr=0.01")
    metrics = json.loads(tool(python, "-m", "dvc", "metrics", "show", "--json"))[""]["data"]["live/metrics.json"]["data"]
    points = points_of(knead.output / "fast")
    assert metrics["step"] == 94 and metrics["train"]["loss"] == points["train/loss", 94], metrics
    assert metrics["validation"]["accuracy"] == points["validation/accuracy", 94], metrics
    difference = json.loads(tool(python, "-m", "dvc", "params", "diff", "--json"))
    changes = {name: (each["old"], each["new"]) for name, each in difference["live/params.yaml"].items()}
    assert changes == {"optimizer.lr": (0.001, 0.01)}, difference
    plots = json.loads(tool(python, "-m", "dvc", "plots", "show", "--json"))
    assert not plots.get("errors"), plots["errors"]
    values = plots["data"]["live/plots/metrics/train/loss.tsv"][0]["content"]["data"]["values"]
    assert [float(each["loss"]) for each in values] == [points["train/loss", int(each["step"])] for each in values], values


def check_prometheus(folder):
    text = (folder / "metrics.prom").read_text()
    promtool = shutil.which("promtool")
    if promtool:
        output_of(promtool, "check", "metrics", input=text)
    else:
        print("skipped: promtool, of Debian's package prometheus")
    last = json_lines(folder / "metrics.jsonl")[-1]
    assert f'knead_train_loss{{run="{folder.name}"}} {last["loss"]:.17g}'.split(".")[0] in text
    assert f'knead_train_steps_total{{run="{folder.name}"}} {last["step"]}\n' in text, text


def check_mlflow(python, knead, work, seed):
    (work / "mlflow").mkdir()
    server = Mlflow(python, work / "mlflow")
    draw = random.Random(seed)
    to = f"track={{every: 2 steps, to: [{{type: mlflow, url: '{server.url}', experiment: trackers}}]}}"
    try:
        stop_and_go_on(knead, "whole", to, "train=4 epochs", "export=safetensors")
        run = server.expect_all(knead.output / "whole")
        assert run["experiment"] == "trackers" and run["name"] == "whole" and run["parent"] is None, run
        assert run["params"]["optimizer.lr"] == "0.001" and run["params"]["model.args.hidden.0"] == "128", run["params"]
        assert set(run["files"]) >= {"recipe.yaml", "resolved.yaml", "export/model.safetensors"}, run["files"]

        # NaN and infinity.
        folder = knead.output / "odd"
        knead.run("odd", "train=1 epochs")
        lines = json_lines(folder / "metrics.jsonl")
        lines[-1]["loss"], lines[-2]["loss"] = "NaN", "Infinity"
        (folder / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        knead.track("odd", "mlflow", f"url={server.url}")
        seen = {step: value for key, step, value in server.run(folder)["points"] if key == "train/loss"}
        assert math.isnan(seen[lines[-1]["step"]]) and seen[lines[-2]["step"]] > 1e300, seen

        # The server dies in the middle, and comes back before the end; it is held, and goes on after the end.
        for name, first, second in [("dies", signal.SIGKILL, None), ("held", signal.SIGSTOP, signal.SIGCONT)]:
            process = subprocess.Popen(knead.words(name, to, "train=60 s"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            while not (knead.output / name / "mlflow.json").exists():
                time.sleep(0.1)
            time.sleep(2)
            server.signal(first)
            time.sleep(2)
            process.send_signal(signal.SIGTERM)
            said = process.communicate()[1]
            assert process.returncode == 75, said
            knead.run(name, to, "train=10 steps")
            server.signal(second) if second else server.start()
            knead.track(name, "mlflow")
            server.expect_all(knead.output / name)

        # The run is killed at any moment, and so is what sends the rest.
        for i in range(4):
            name, length = f"killed-{i}", "train=40 epochs"
            process = subprocess.Popen(knead.words(name, to, length), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(draw.uniform(0.3, 2))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            knead.run(name, to, length)
            process = subprocess.Popen([knead.program, "track", "--to", "mlflow", knead.output / name], stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(draw.uniform(0, 0.5))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            knead.track(name, "mlflow")
            server.expect_all(knead.output / name)

        # The trials of a sweep stand below one run.
        words = knead.words("swept", to, "train=1 epochs", "sweep={over: {optimizer.lr: [0.001, 0.01, 0.1]}}")
        output_of(words[0], "sweep", *words[2:])
        trials = sorted((knead.output / "swept/sweep").glob("*/mlflow.json"))
        parents = {server.expect_all(trial.parent)["parent"] for trial in trials}
        sweep = server.run(knead.output / "swept/sweep")
        assert len(trials) == 3 and parents == {sweep["id"]} and sweep["name"] == "swept", (trials, parents, sweep)
    finally:
        server.signal(signal.SIGKILL)


def main():
    program, root, environments = (pathlib.Path(word) for word in sys.argv[1:])
    seed = random.randrange(1 << 20)
    print("seed", seed)
    for name in [name for name in os.environ if name.lower() in ("http_proxy", "https_proxy")]:
        del os.environ[name]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        knead = Knead(program, root, work / "runs")
        stop_and_go_on(knead, "files", "track.to=[{type: wandb, project: trackers}, prometheus]", "train=4 epochs")
        check_wandb(environments / "wandb/bin/python", work / "runs/files")
        check_prometheus(work / "runs/files")
        knead.track("files", "wandb", "project=trackers")
        check_wandb(environments / "wandb/bin/python", work / "runs/files")
        check_wandb_texts(environments / "wandb/bin/python", knead)
        check_dvc(environments / "dvc/bin/python", knead, work)
        check_mlflow(environments / "mlflow/bin/python", knead, work, seed)


main()
