"""The pipelines of docs/ci, judged by the schemas that check-jsonschema carries, without a network; and their jobs, run
here as GitHub and GitLab run them: each in a checkout of its own, with the artifacts of the jobs before it.

usage: ci_test.py ROOT KNEAD   without an engine beside KNEAD no job is run
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import junitparser
import yaml

SCHEMAS = {"github.yml": "vendor.github-workflows", "gitlab.yml": "vendor.gitlab-ci"}
# What each schema must refuse: a text of the file, and what a person might have written in its place.
MISTAKES = {
    "github.yml": [
        ("    needs: train", "    need: train"),
        ("    runs-on: ubuntu-22.04", "    runs_on: ubuntu-22.04"),
        ("  contents: read", "  contents: reads"),
    ],
    "gitlab.yml": [
        ("  parallel: 4", "  parallel: four"),
        ("    when: always", "    when: sometimes"),
        ("    reports:\n      junit: lint.xml", "    reports:\n      junit: {a: b}"),
    ],
}


def complaint(path, schema):
    """What check-jsonschema says of a file; nothing if that is valid."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)]
    result = subprocess.run(command, capture_output=True, text=True)
    return "" if result.returncode == 0 else result.stdout + result.stderr


class Service:
    """What both services do: checkouts, environments and artifacts. Programs to install are there already."""

    def __init__(self, root, knead, place, sweep):
        self.place, self.sweep = place, sweep
        self.tree = place / "tree"
        for folder in ("models", "recipes"):
            shutil.copytree(root / folder, self.tree / folder)
        (self.tree / "recipes/sweep.yaml").write_text(sweep)
        self.bin = place / "bin"
        self.bin.mkdir()
        (self.bin / "knead").symlink_to(knead)
        (self.bin / "pip").write_text("#!/bin/sh\n")
        (self.bin / "pip").chmod(0o755)
        self.artifacts = []
        self.said = {}

    def run(self, job, commands, variables):
        """Runs the commands of a job in a new checkout. Returns the checkout and the exit code of what failed."""
        checkout = self.place / job
        shutil.copytree(self.tree, checkout)
        for artifact in self.artifacts:
            shutil.copytree(artifact, checkout, dirs_exist_ok=True)
        environment = {"PATH": f"{self.bin}:{os.environ['PATH']}", "CI": "true", **variables}
        script = "\n".join(["set -eo pipefail", *commands])
        result = subprocess.run(["bash", "-c", script], cwd=checkout, env=environment, capture_output=True, text=True)
        self.said[job] = result.stdout + result.stderr
        return checkout, result.returncode

    def keep(self, job, checkout, paths):
        """Keeps files and folders of a checkout for the jobs behind it."""
        for path in (found for pattern in paths for found in checkout.glob(pattern)):
            to = self.place / f"artifacts-{job}" / path.relative_to(checkout)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(path, to) if path.is_dir() else shutil.copy(path, to)
        self.artifacts.append(self.place / f"artifacts-{job}")


def on_github(pipeline, service):
    """Runs the workflow. Returns the checkout of its last job, and the exit codes of all."""
    variables = {name: "" if "${{" in str(value) else str(value) for name, value in pipeline["env"].items()}
    variables |= {"GITHUB_ACTIONS": "true", "RECIPE": "recipes/sweep.yaml"}
    for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"):
        variables[name] = str(service.place / name)
    jobs = pipeline["jobs"]

    def commands(job):
        return [step["run"] for step in jobs[job]["steps"] if "run" in step]

    codes = [service.run("shards", commands("shards"), variables)[1]]
    output = dict(line.split("=", 1) for line in (service.place / "GITHUB_OUTPUT").read_text().splitlines())
    shards = json.loads(output["matrix"])["include"]
    assert len(shards) == int(variables["SHARDS"])
    for index, matrix in enumerate(shards):
        checkout, code = service.run(f"train-{index}", commands("train"), variables | {"SHARD": matrix["shard"]})
        codes.append(code)
        service.keep(f"train-{index}", checkout, [jobs["train"]["steps"][-1]["with"]["path"]])
    checkout, code = service.run("judge", commands("judge"), variables)
    service.keep("judge", checkout, jobs["judge"]["steps"][-1]["with"]["path"].split())
    return checkout, codes + [code]


def on_gitlab(pipeline, service):
    """Runs the pipeline. Returns the checkout of its last job, and the exit codes of all."""
    variables = {name: str(value).replace("$KNEAD_WHEELS", "") for name, value in pipeline["variables"].items()}
    codes = [service.run("lint", pipeline["lint"]["script"], variables)[1]]
    train = pipeline["train"]
    for index in range(1, train["parallel"] + 1):
        of_node = {"CI_NODE_INDEX": str(index), "CI_NODE_TOTAL": str(train["parallel"])}
        checkout, code = service.run(f"train-{index}", train["script"], variables | of_node)
        codes.append(code)
        assert code == 0 or code in train["allow_failure"]["exit_codes"], service.said[f"train-{index}"]
        service.keep(f"train-{index}", checkout, [path.rstrip("/") for path in train["artifacts"]["paths"]])
    checkout, code = service.run("judge", pipeline["judge"]["script"], variables)
    service.keep("judge", checkout, pipeline["judge"]["artifacts"]["paths"])
    return checkout, codes + [code]


def lines(checkout, file):
    """The lines of a file without times and without the name of the checkout."""
    text = (checkout / file).read_text().replace(str(checkout), "")
    return [re.sub(r',"seconds":.*', "", line) for line in text.splitlines()]


SWEEP = """
extends: digits.yaml
name: swept
train: 60 steps
threads: 1
expect: []
sweep:
  over:
    optimizer.lr: [1e-3, 1e-2]
    seed: [1, 2, 3]
"""
# Three of six trials diverge, and the others do not reach what is expected.
WRONG_SWEEP = SWEEP.replace("[1e-3, 1e-2]", "[1e-2, 1e30]").replace(
    "expect: []", "expect: {metric: validation/loss, at_most: 1e-9}"
)


def check_runs(name, run, root, knead):
    """Both pipelines come to the outcome of a sweep in one go, and to its exit code."""
    pipeline = yaml.safe_load((root / "docs/ci" / name).read_text())
    for sweep, code_of_sweep in ((SWEEP, 0), (WRONG_SWEEP, 5)):
        with tempfile.TemporaryDirectory() as folder:
            service = Service(root, knead, pathlib.Path(folder), sweep)
            whole, code = service.run("whole", ['knead sweep "recipes/sweep.yaml"'], {})
            assert code == code_of_sweep, service.said["whole"]
            checkout, codes = run(pipeline, service)
            assert codes[-1] == code_of_sweep, service.said["judge"]
            assert codes[0] == 0 and set(codes) <= {0, 4, 5}, codes
            for file in ("sweep.jsonl", "best.yaml"):
                expected, got = (lines(place, f"runs/swept/sweep/{file}") for place in (whole, checkout))
                assert expected == got, service.said["judge"]
            # Failed trials are tried again, others are not.
            before = f"6 trials in runs/swept/sweep, {3 if code else 6} of them finished before"
            assert before in service.said["judge"], service.said["judge"]
            (suite,) = list(junitparser.JUnitXml.fromfile(str(checkout / "sweep.xml")))
            assert bool(suite.errors) == bool(suite.failures) == (code == 5), (suite.errors, suite.failures)
            kept = {path.name for path in (service.place / "artifacts-judge").rglob("*.*") if path.is_file()}
            assert kept == {"sweep.xml", "sweep.jsonl", "sweep.csv", "optuna.journal", "best.yaml"}, kept
            if name == "github.yml":
                assert ("::error title=" in service.said["judge"]) == (code == 5)
                assert "## Sweep swept: " in (service.place / "GITHUB_STEP_SUMMARY").read_text()


def commands(pipeline):
    """The commands of all jobs, in their order."""
    for job in pipeline["jobs"].values() if "jobs" in pipeline else pipeline.values():
        if isinstance(job, dict):
            yield from (step["run"] for step in job.get("steps", []) if "run" in step)
            yield from job.get("script", [])


def main():
    root, knead = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder = root / "docs/ci"
    for name, schema in SCHEMAS.items():
        path = folder / name
        assert not complaint(path, schema), complaint(path, schema)
        text = path.read_text()
        for right, wrong in MISTAKES[name]:
            assert right in text, right
            with tempfile.TemporaryDirectory() as place:
                spoilt = pathlib.Path(place) / name
                spoilt.write_text(text.replace(right, wrong))
                assert complaint(spoilt, schema), f"{name} with {wrong.strip()!r} is valid"
        for command in commands(yaml.safe_load(text)):
            subprocess.run(["bash", "-n", "-c", command], check=True)
    print(f"{' and '.join(SCHEMAS)} are pipelines")
    if (knead.parent / "knead-engine").exists():
        check_runs("github.yml", on_github, root, knead)
        check_runs("gitlab.yml", on_gitlab, root, knead)
        print("and come to the outcome of a sweep in one go")


main()
