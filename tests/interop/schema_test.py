"""The JSON Schema that `knead schema` prints against `knead lint`: the same verdict, by python-jsonschema.

usage: schema_test.py KNEAD ROOT
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema
from ruamel.yaml import YAML

# What lint sees and a schema cannot: rules over several keys, files, the text itself.
BEYOND_A_SCHEMA = {
    "argument-type", "missing-argument", "unknown-argument", "unknown-class",
    "batch-divisible", "batch-too-large", "bad-columns", "duplicate-metric", "env-form", "env-unset",
    "evaluation-never", "expect-bounds", "field-dtype", "goal-reversed", "like-cycle", "like-unknown",
    "metric-mismatch", "missing-file", "needs-other-key", "needs-validation", "no-input", "not-together", "rows-empty",
    "rows-overlap", "schedule-needs-over", "shape-mismatch", "sweep-key", "sweep-prune", "sweep-size", "sweep-space", "sweep-value",
    "unknown-field", "unknown-metric", "warmup-too-long",
}
# Bounds of a quantity stand in its text, where a pattern does not count.
BEYOND_A_PATTERN = {"out-of-range", "wrong-unit", "leading-zero"}
IN_A_TRIAL = {"bad-override", "empty-value", "missing-key", "unit-missing", "unknown-choice", "unknown-key", "wrong-length",
              "wrong-type"}

WRONG_VALUES = [None, True, -1, 0, 1, 1.5, "x", "20 epochs", "auto", [], [1], ["x"], {}, {"x": 1}, {"type": "x"}]


def lint(program, folder, recipe):
    """The slugs of all errors; the recipe as JSON is YAML too."""
    file = folder / "recipe.yaml"
    file.write_text(json.dumps(recipe))
    result = subprocess.run([program, "lint", "--format", "json", str(file)], capture_output=True, text=True)
    return {p["code"] for p in json.loads(result.stdout)["problems"] if p["severity"] == "error"}


def mutations(value, path=()):
    """Each value replaced by each wrong one, each key dropped, each block given an unknown key."""
    if isinstance(value, dict):
        yield path, "add"
        for key in value:
            yield path + (key,), "drop"
            for wrong in WRONG_VALUES:
                yield path + (key,), wrong
            yield from mutations(value[key], path + (key,))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from mutations(item, path + (index,))


def mutated(recipe, path, change):
    recipe = copy.deepcopy(recipe)
    block = recipe
    for step in path if change == "add" else path[:-1]:
        block = block[step]
    if change == "add":
        block["unknown_key_of_nobody"] = 1
    elif change == "drop":
        del block[path[-1]]
    else:
        block[path[-1]] = change
    return recipe


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads(subprocess.run([program, "schema"], capture_output=True, text=True, check=True).stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    checked, explained, failures = 0, 0, []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file in sorted((root / "recipes").glob("*.yaml")):
            recipe = YAML(typ="safe", pure=True).load(file)
            for key in {"source", "archive"} & set(recipe["model"]):
                recipe["model"][key] = str((file.parent / recipe["model"][key]).resolve())
            if not validator.is_valid(recipe):
                failures.append(f"{file.name}: the schema refuses it")
            for path, change in mutations(recipe):
                other = mutated(recipe, path, change)
                errors, valid = lint(program, folder, other), validator.is_valid(other)
                checked += 1
                if bool(errors) != valid:
                    continue
                # That a model has a source or an archive, clip a norm or a value, a set a path or a url, a group a way to
                # choose, are rules over two keys too.
                of_two = {"missing-key"} if path[0] in ("model", "clip", "data", "optimizer") else set()
                # A schema does not know the key that a swept value is for.
                of_trials = IN_A_TRIAL if path[0] == "sweep" else set()
                if valid and errors <= BEYOND_A_SCHEMA | BEYOND_A_PATTERN | of_two | of_trials:
                    explained += 1
                else:
                    failures.append(f"{file.name} {'.'.join(map(str, path))} = {change!r}: "
                                    f"lint {sorted(errors)}, the schema says {'valid' if valid else 'invalid'}")
    print(f"{checked} mutated recipes: {checked - explained - len(failures)} with the same verdict, {explained} that only "
          f"lint refuses (rules, files, bounds of quantities), {len(failures)} unexplained")
    sys.exit("\n".join(failures[:40]) if failures else 0)


main()
