"""What `knead lint` prints for other programs, read by their own readers: SARIF by sarif-pydantic, JUnit by
junitparser, GitHub's annotations as its runner reads them.

usage: formats_test.py KNEAD ROOT
"""

import json
import pathlib
import subprocess
import sys

import junitparser
from sarif_pydantic import Sarif

OF_TEXT = {"%0D": "\r", "%0A": "\n"}
OF_PROPERTIES = OF_TEXT | {"%3A": ":", "%2C": ","}


def unescaped(text, escapes):
    for escape, meant in escapes.items():
        text = text.replace(escape, meant)
    return text.replace("%25", "%")


def annotation(line):
    """The level, the properties and the text of a workflow command."""
    _, command, text = line.split("::", 2)
    level, words = command.split(" ", 1)
    pairs = (word.split("=", 1) for word in words.split(","))
    return level, {key: unescaped(value, OF_PROPERTIES) for key, value in pairs}, unescaped(text, OF_TEXT)


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    files = sorted(path for path in (root / "tests/bad_recipes").rglob("*.yaml"))
    assert len(files) > 300, f"only {len(files)} recipes"

    def printed(form):
        command = [program, "lint", "--format", form, *map(str, files)]
        result = subprocess.run(command, capture_output=True)
        assert result.returncode == 2, result.stderr
        return result.stdout.decode()  # strictly UTF-8, whatever the recipes hold

    problems = json.loads(printed("json"))["problems"]
    run = Sarif.model_validate_json(printed("sarif")).runs[0]
    assert len(run.results) == len(problems)
    rules = {rule.id for rule in run.tool.driver.rules}
    for result, problem in zip(run.results, problems):
        assert result.rule_id == problem["code"] and result.rule_id in rules, problem
        assert result.level.value == problem["severity"], problem
        region = result.locations[0].physical_location.region
        assert region is None or region.start_line == problem["line"], problem

    failing = {case.name for suite in junitparser.JUnitXml.fromstring(printed("junit").encode()) for case in suite
               if not case.is_passed}
    with_errors = sum(1 for path in files if subprocess.run(
        [program, "lint", "--format", "junit", str(path)], capture_output=True).returncode == 2)
    assert len(failing) == with_errors, (len(failing), with_errors)

    lines = printed("rdjsonl").splitlines()
    assert len(lines) == len(problems)
    for line, problem in zip(lines, problems):
        one = json.loads(line)
        assert one["code"]["value"] == problem["code"]
        assert one["location"]["path"] == problem["file"], line
        assert one["message"] == ": ".join(filter(None, (problem["message"], problem["hint"]))), line
        if "range" not in one["location"]:
            continue
        # Columns are bytes here: the mark stands at the same text.
        text = pathlib.Path(problem["file"]).read_bytes().splitlines()[problem["line"] - 1 : problem["line"]]
        start = one["location"]["range"]["start"]
        before = b"".join(text)[: start["column"] - 1].decode("utf-8", "ignore")
        assert len(before) == problem["column"] - 1 or not text, (problem, start)

    lines = printed("github").split("\n")[:-1]
    assert len(lines) == len(problems)
    for line, problem in zip(lines, problems):
        level, properties, text = annotation(line)
        assert (level, properties["title"]) == (problem["severity"], problem["code"]), line
        assert text == "\n".join(filter(None, (problem["message"], problem["hint"]))), line
        placed = {"file": problem["file"], "line": problem["line"], "col": problem["column"],
                  "endColumn": problem["end_column"]}
        assert all(properties[key] == str(value) for key, value in placed.items()), line
    print(f"{len(problems)} problems of {len(files)} recipes read back")


main()
