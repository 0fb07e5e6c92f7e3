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


def main() -> None:
    program, root, names = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, root / "tools/record_forward", folder, *names], check=True)
        fixtures = sorted(pathlib.Path(folder).glob("*/*.json"))
        pairs = [path for fixture in fixtures for path in (source_of(root, fixture), fixture)]
        compared = subprocess.run([program, *pairs], capture_output=True, text=True)
        print(compared.stdout.replace(f"{root}/", ""), compared.stderr, end="")
        parameters = sum(len(json.loads(fixture.read_text())["parameters"]) for fixture in fixtures)
    print(f"{len(fixtures)} models, {parameters} parameters")
    sys.exit(compared.returncode)


main()
