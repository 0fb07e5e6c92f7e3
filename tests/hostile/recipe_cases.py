"""Recipes that a stranger wrote to hurt whoever reads them."""

import os

from case import Case

USAGE = frozenset({2, 3})


def cases():
    def lint(name, text, **more):
        return Case(f"recipe/{name}", {"recipe.yaml": text}, ["lint", "recipe.yaml"], USAGE, **more)

    yield lint("deep-list", "model: " + "[" * 100_000)
    yield lint("deep-map", "model: " + "{a: " * 50_000)
    yield lint("million-keys", "".join(f"key{i}: 1\n" for i in range(100_000)))
    yield lint("anchors-that-double",
               "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 40)))
    yield lint("escape-in-key", "\"\\e]0;title\\a\\e[2J\": 1\n")
    yield lint("escape-in-value", "model: \"\\e]0;title\\a\\e[2J\"\n")
    yield lint("long-key", "k" * 1_000_000 + ": 1\n")
    yield lint("long-value", "model: " + "v" * 1_000_000 + "\n")
    yield lint("nul", b"model: a\x00b\n")
    yield lint("not-text", bytes(range(256)) * 100)
    yield Case("recipe/fifo", {"recipe.yaml": lambda path: os.mkfifo(path)}, ["lint", "recipe.yaml"], USAGE)
    yield Case("recipe/dev-zero", {}, ["lint", "/dev/zero"], USAGE)
    yield Case("recipe/folder", {"recipe.yaml/x": ""}, ["lint", "recipe.yaml"], USAGE)
    yield Case("recipe/loop-of-links", {"recipe.yaml": lambda path: os.symlink("recipe.yaml", path)},
               ["lint", "recipe.yaml"], USAGE)
    yield Case("recipe/extends-itself", {"recipe.yaml": "extends: recipe.yaml\n"}, ["lint", "recipe.yaml"], USAGE)
    yield Case("recipe/extends-dev-zero", {"recipe.yaml": "extends: /dev/zero\n"}, ["lint", "recipe.yaml"], USAGE)
    yield Case("recipe/name-of-4000-characters", {}, ["lint", "n" * 4000 + ".yaml"], USAGE)
    yield Case("recipe/name-with-newline-and-escape", {"a\n\x1b[2J.yaml": "model: 1\n"}, ["lint", "a\n\x1b[2J.yaml"], USAGE)
