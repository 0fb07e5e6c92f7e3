"""Text of strangers that reaches a person: what controls a terminal, what is too long, what lies about what it is."""

import io
import json
import os
import tarfile
import zipfile

from case import Case

USAGE = frozenset({2, 3})
ENDS = frozenset({0, 2, 3, 5})

# What a text does to who reads it. Those without NUL can be names of files and arguments.
TEXTS = {
    "clears-screen": "\x1b[2J\x1b[H",
    "sets-title": "\x1b]0;title\x07",
    "sets-clipboard": "\x1b]52;c;ZWNobyBoaQ==\x1b\\",
    "asks-terminal": "\x1b[6n\x1b[c\x1bZ",
    "colour": "\x1b[31;1mred",
    "c1": "a\x9b2Jb\x85c\x90d",
    "overwrites": "error\rfine ",
    "backspaces": "wrong\b\b\b\b\bright",
    "bell": "\x07\x07\x07",
    "delete": "a\x7f\x7f",
    "turns-text": "\u202egpj.exe\u2066x",
    "other-line": "a\nknead: all is well\n",
    "other-line-2": "a\u2028knead: all is well\u0085b",
    "half-escape": "\x1b[",
    "open-string": "\x1bP" + "p" * 300,
    "combining": "a" + "\u0301" * 3000,
    "long": "w" * 100_000,
    "long-wide": "字" * 40_000,
}
SHORT = {name: text for name, text in TEXTS.items() if len(text.encode()) < 200}

MODEL = """import torch
import torch.nn as nn

class Line(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(1, 2)
        {init}

    def forward(self, x):
        {forward}
        return self.line(x[:, None])
"""
TABLE = "x,y\n" + "".join(f"{i},{i % 2}\n" for i in range(64))


def model(init="pass", forward="pass"):
    return MODEL.format(init=init, forward=forward)


def recipe(train="{type: csv, path: a.csv, fields: {x: {columns: x}, y: {columns: y, dtype: int64}}}", more="", name="a"):
    return (f"version: 1\nname: {name}\nmodel: {{source: line.py, class: Line}}\ndata: {{train: {train}}}\n"
            f"loss: {{type: cross_entropy, target: y}}\noptimizer: {{type: sgd, lr: 0.1}}\nbatch: 8\ntrain: 2 steps\nthreads: 1\n{more}")


def quoted(text):
    """A text as a string of YAML and of JSON."""
    return json.dumps(text)


def in_recipes():
    for name, text in TEXTS.items():
        word = quoted(text)
        lint = ["lint", "recipe.yaml"]
        for place, content in {
            "key": f"{word}: 1\n", "value": recipe() + f"seed: {word}\n", "kind": recipe() + f"schedule: {{type: {word}}}\n",
            "name": recipe(name=word), "class": recipe().replace("class: Line", f"class: {word}"), "source": recipe().replace("line.py", word),
            "path": recipe(f"{{type: csv, path: {word}, fields: {{x: {{columns: x}}, y: {{columns: y}}}}}}"),
            "field": recipe().replace("fields: {x:", f"fields: {{{word}:"), "extends": f"extends: {word}\n",
        }.items():
            yield Case(f"words/lint-{place}-{name}", {"recipe.yaml": content, "line.py": model(), "a.csv": TABLE}, lint, ENDS)
        yield Case(f"words/environment-{name}", {"recipe.yaml": recipe() + "seed: ${env:WORD}\n", "line.py": model(), "a.csv": TABLE}, lint, ENDS, {"WORD": text})
    for name, text in SHORT.items():
        for verb in ("explain", "render"):
            yield Case(f"words/{verb}-name-{name}", {"recipe.yaml": recipe(name=quoted(text)), "line.py": model(), "a.csv": TABLE},
                       [verb, *(["name"] if verb == "explain" else []), "recipe.yaml"], ENDS)


def in_arguments():
    for name, text in TEXTS.items():
        for place, arguments in {
            "verb": [text], "option": ["lint", "--" + text], "value": ["lint", "--format", text], "file": ["lint", text], "override": ["lint", "recipe.yaml", f"seed={text}"],
            "key": ["lint", "recipe.yaml", f"{text}=1"], "folder": ["runs", text], "run": ["run", text], "report": ["report", text], "verify": ["verify", text],
            "import": ["import", text], "emit": ["run", "--emit", text], "explained": ["explain", text], "watch": ["watch", text], "completion": ["completion", text],
        }.items():
            yield Case(f"words/argument-{place}-{name}", {"recipe.yaml": recipe(), "line.py": model(), "a.csv": TABLE}, arguments, USAGE)


def in_names_of_files():
    for name, text in SHORT.items():
        part = text.replace("/", "_")
        yield Case(f"words/recipe-named-{name}", {f"{part}.yaml": "model: 1\n"}, ["lint", f"{part}.yaml"], USAGE)
        yield Case(f"words/run-named-{name}", {f"runs/{part}/resolved.yaml": recipe(), f"runs/{part}/checkpoints/none": ""}, ["runs"], ENDS)
        yield Case(f"words/broken-run-named-{name}", {f"runs/{part}/resolved.yaml": "\x1b[2J: [", f"runs/{part}/checkpoints/step-1/manifest.json": "{"}, ["runs"], ENDS)
        yield Case(f"words/checkpoint-named-{name}", {f"run/checkpoints/step-{part}/manifest.json": "{"}, ["verify", "run"], ENDS)
        yield Case(f"words/model-named-{name}", {"recipe.yaml": recipe().replace("line.py", quoted(f"{part}.py")), f"{part}.py": "class Line(:\n", "a.csv": TABLE},
                   ["lint", "recipe.yaml"], USAGE)
        yield Case(f"words/config-named-{name}", {f"{part}.json": "{"}, ["import", f"{part}.json"], USAGE)


def in_models():
    for name, text in TEXTS.items():
        word = quoted(text)
        for place, source in {"prints": model(init=f"print({word})"), "raises": model(init=f"raise ValueError({word})"),
                              "forward-prints": model(forward=f"print({word})"), "forward-raises": model(forward=f"raise ValueError({word})"),
                              "asserts": model(init=f"assert False, {word}"), "attribute": model(init=f"getattr(self, {word})")}.items():
            yield Case(f"words/model-{place}-{name}", {"recipe.yaml": recipe(), "line.py": source, "a.csv": TABLE}, ["plan", "recipe.yaml"], ENDS)
    for name, text in SHORT.items():
        yield Case(f"words/model-syntax-{name}", {"recipe.yaml": recipe(), "line.py": f"x = '{text}' +\n", "a.csv": TABLE}, ["lint", "recipe.yaml"], USAGE)
        yield Case(f"words/model-comment-{name}", {"recipe.yaml": recipe(), "line.py": model(init=f"self.a = {{  # {text}"), "a.csv": TABLE}, ["lint", "recipe.yaml"], USAGE)


def tar_of(name, content=b"1"):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        entry = tarfile.TarInfo(name)
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


def npz_of(name):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name + ".npy", b"\x93NUMPY\x01\x00v\x00{")
    return out.getvalue()


def in_data():
    for name, text in TEXTS.items():
        cell = '"' + text.replace('"', '""') + '"'
        csv = "{type: csv, path: a.csv, fields: {x: {columns: x}, y: {columns: y, dtype: int64}}}"
        yield Case(f"words/csv-cell-{name}", {"recipe.yaml": recipe(csv), "line.py": model(), "a.csv": f"x,y\n{cell},1\n"}, ["plan", "recipe.yaml"], USAGE)
        yield Case(f"words/csv-header-{name}", {"recipe.yaml": recipe(csv), "line.py": model(), "a.csv": f"{cell},y\n1,1\n"}, ["plan", "recipe.yaml"], USAGE)
        yield Case(f"words/csv-category-{name}", {"recipe.yaml": recipe(csv.replace("{columns: y, dtype: int64}", "{columns: y, categories: [a, b]}")), "line.py": model(),
                                                  "a.csv": f"x,y\n1,{cell}\n"}, ["plan", "recipe.yaml"], USAGE)
        lines = csv.replace("csv", "jsonl").replace("{columns: x}", "{key: x}").replace("{columns: y, dtype: int64}", "{key: y, dtype: int64}")
        yield Case(f"words/jsonl-value-{name}", {"recipe.yaml": recipe(lines), "line.py": model(), "a.jsonl": json.dumps({"x": text, "y": 1}) + "\n"}, ["plan", "recipe.yaml"], USAGE)
        yield Case(f"words/jsonl-line-{name}", {"recipe.yaml": recipe(lines), "line.py": model(), "a.jsonl": text + "\n"}, ["plan", "recipe.yaml"], USAGE)
    for name, text in SHORT.items():
        tar = "{type: tar, path: a.tar, fields: {x: {extension: cls}, y: {extension: cls}}}"
        yield Case(f"words/tar-entry-{name}", {"recipe.yaml": recipe(tar), "line.py": model(), "a.tar": tar_of(text + ".cls", b"\x1b[2J")}, ["plan", "recipe.yaml"], USAGE)
        npz = "{type: npz, path: a.npz, fields: {x: {key: x}, y: {key: y}}}"
        yield Case(f"words/npz-entry-{name}", {"recipe.yaml": recipe(npz), "line.py": model(), "a.npz": npz_of(text)}, ["plan", "recipe.yaml"], USAGE)
        header = json.dumps({text: {"dtype": text, "shape": [1], "data_offsets": [0, 4]}}).encode()
        yield Case(f"words/safetensors-name-{name}", {"recipe.yaml": recipe(more="model: {source: line.py, class: Line, weights: w.safetensors}\n").replace(
            "model: {source: line.py, class: Line}\n", "", 1), "line.py": model(), "a.csv": TABLE, "w.safetensors": len(header).to_bytes(8, "little") + header + b"\0" * 4},
            ["plan", "recipe.yaml"], ENDS)


def in_runs():
    """What a run says and writes; its folder is looked at by cases of tests/end_to_end/surroundings_test.sh."""
    for name, text in SHORT.items():
        yield Case(f"words/run-description-{name}", {"recipe.yaml": recipe(more=f"description: {quoted(text)}\n"), "line.py": model(forward=f"print({quoted(text)})"),
                                                     "a.csv": TABLE}, ["run", "recipe.yaml"], ENDS)


def cases():
    for group in (in_recipes, in_arguments, in_names_of_files, in_models, in_data, in_runs):
        yield from group()
