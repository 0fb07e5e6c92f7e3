"""The pipelines of docs/ci, judged by the schemas that check-jsonschema carries, without a network; and their commands by
shells.

usage: ci_test.py ROOT
"""

import pathlib
import subprocess
import sys
import tempfile

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


def commands(pipeline):
    """The commands of all jobs, in their order."""
    for job in pipeline["jobs"].values() if "jobs" in pipeline else pipeline.values():
        if isinstance(job, dict):
            yield from (step["run"] for step in job.get("steps", []) if "run" in step)
            yield from job.get("script", [])


def main():
    folder = pathlib.Path(sys.argv[1]) / "docs/ci"
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


main()
