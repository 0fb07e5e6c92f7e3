"""The hook `knead-lint` as pre-commit installs and runs it, from the packages that tools/package made, without a compiler.

usage: pre_commit_test.py PACKAGES ROOT
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CONFIG = """\
repos:
  - repo: {hooks}
    rev: v1.0
    hooks:
      - id: knead-lint
"""

FAILS = """\
knead lint...............................................................Failed
- hook id: knead-lint
- exit code: 2

recipes/wrong.yaml:3:17: error: optimizer.lr must be a number: 'fast' [wrong-type]
    3 | optimizer: {lr: fast}
      |                 ^~~~
recipes/wrong.yaml:4:9: error: unknown key 'sise' in batch [unknown-key]
    4 | batch: {sise: 4}
      |         ^~~~
      = did you mean 'size'?
2 errors in recipes/wrong.yaml
2 errors in 2 recipes

"""

PASSES = """\
knead lint...............................................................Passed
"""


def environment(folder, packages):
    """Nothing of the machine's git and pre-commit: neither settings nor a repository that a hook is running in. pip finds
    our packages, and no index."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT", "PIP_"))}
    return kept | {"PRE_COMMIT_HOME": str(folder / "cache"), "GIT_CONFIG_GLOBAL": os.devnull,
                   "GIT_CONFIG_NOSYSTEM": "1", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(packages)}


def commit(folder, variables):
    def git(*words):
        subprocess.run(["git", *words], cwd=folder, env=variables, check=True, stdout=subprocess.DEVNULL)

    git("init", "--quiet", "--initial-branch", "main")
    git("config", "user.name", "A person")
    git("config", "user.email", "person@example.com")
    git("add", "--all")
    git("commit", "--quiet", "--message", "All")
    return git


def make_hooks(folder, root):
    """What pip and pre-commit read of this repository."""
    shutil.copytree(root / "tools/packaging", folder / "tools/packaging", ignore=shutil.ignore_patterns("__pycache__"))
    for name in (".pre-commit-hooks.yaml", "pyproject.toml", "CMakeLists.txt"):
        shutil.copy(root / name, folder)


def make_project(folder, root, hooks):
    shutil.copytree(root / "tests/front/recipes/data", folder / "recipes/data")
    for name in ("good.yaml", "wrong.yaml", "model.py"):
        shutil.copy(root / "tests/front/recipes" / name, folder / "recipes")
    for name in ("settings.yaml", "recipes/data/notes.yaml"):  # Not recipes: the hook leaves them alone.
        (folder / name).write_text("batch: {sise: 4}\n")
    (folder / ".pre-commit-config.yaml").write_text(CONFIG.format(hooks=hooks))


def main():
    packages, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        hooks, project = folder / "hooks", folder / "project"
        variables = environment(folder, packages)
        make_hooks(hooks, root)
        commit(hooks, variables)("tag", "v1.0")
        make_project(project, root, hooks)
        git = commit(project, variables)

        def pre_commit(*words):
            command = [sys.executable, "-m", "pre_commit", *words, "--color", "never"]
            result = subprocess.run(command, cwd=project, env=variables, capture_output=True, text=True)
            assert not result.stderr, result.stderr
            return result.returncode, result.stdout

        def expect(expected):
            code, said = pre_commit("run", "--all-files")
            assert (code, said) == expected, f"exit {code}\n{said}"

        code, said = pre_commit("install-hooks")  # It says that it clones; `run` says nothing more then.
        assert code == 0, said
        expect((1, FAILS))
        git("rm", "--quiet", "recipes/wrong.yaml")
        expect((0, PASSES))
    print("pre-commit stops at the wrong recipe and lets the right one through")


main()
