"""What PyTorch, here and now, makes of the models of tests/models and models/ is what knead makes of them.

usage: forward_test.py COMPARE_MODELS ROOT [NAME…]
"""

import json
import pathlib
import subprocess
import sys
import tempfile


def source_of(root: pathlib.Path, fixture: pathlib.Path) -> pathlib.Path:
    folder, name = fixture.parent.name, fixture.stem
    if folder == "shipped":
        return root / "models" / f"{name.split('_')[0]}.py"
    return root / "tests/models" / folder / f"{name}.py"


def compared(program: str, root: pathlib.Path, words: list[str]) -> int:
    """The exit code of the comparison with what is recorded now."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, root / "tools/record_forward", folder, *words], check=True)
        fixtures = sorted(pathlib.Path(folder).glob("*/*.json"))
        pairs = [path for fixture in fixtures for path in (source_of(root, fixture), fixture)]
        run = subprocess.run([program, *pairs], capture_output=True, text=True)
        print(f"exit {run.returncode}") if run.returncode < 0 else None
        print(run.stdout.replace(f"{root}/", ""), run.stderr, end="")
        parameters = sum(len(json.loads(fixture.read_text())["parameters"]) for fixture in fixtures)
    print(f"{len(fixtures)} models, {parameters} parameters")
    return run.returncode


def main() -> None:
    program, root, names = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    # Bit by bit, as on one processor; with bounds only where PyTorch's build takes other instructions than knead's.
    status = compared(program, root, ["--unbounded", *names]) and compared(program, root, names)
    sys.exit(status)


main()
