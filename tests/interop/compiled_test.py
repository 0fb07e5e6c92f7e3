"""What knead compiles and saves is what Python loads and computes: compiled_test.py SAVE_ARCHIVES MODELS"""

import importlib.util
import pathlib
import subprocess
import sys
import tempfile

import torch


def class_of(path: pathlib.Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module.Model


def equal(a, b) -> bool:
    if isinstance(a, torch.Tensor):
        return isinstance(b, torch.Tensor) and a.dtype == b.dtype and torch.equal(a, b)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(equal, a, b))
    return a == b


def check(path: pathlib.Path, archive: pathlib.Path) -> None:
    line = path.read_text().splitlines()[1]
    torch.manual_seed(3)
    inputs = eval(f"[{line.removeprefix('# inputs: ')}]")
    torch.manual_seed(1)
    model = class_of(path)().eval()
    loaded = torch.jit.load(archive)
    state, own = loaded.state_dict(), model.state_dict()
    missing = own.keys() - state.keys()
    assert not missing, f"{path.stem}: keys {missing} are missing"
    assert all(torch.equal(own[key], state[key]) for key in own), f"{path.stem}: other weights"
    model.load_state_dict({key: state[key] for key in own})
    with torch.no_grad():
        torch.manual_seed(2)
        expected = model(*inputs)
        torch.manual_seed(2)
        assert equal(expected, loaded(*inputs)), f"{path.stem}: other outputs"


def is_there(source: pathlib.Path) -> bool:
    """Whether the packages that a model imports are installed."""
    needs = [line.removeprefix("# needs: ") for line in source.read_text().splitlines() if line.startswith("# needs: ")]
    return all(importlib.util.find_spec(package) for package in needs)


def main() -> None:
    program, models = sys.argv[1], pathlib.Path(sys.argv[2])
    torch.set_num_threads(1)
    torch.backends.mha.set_fastpath_enabled(False)  # it rounds otherwise than the layers do
    with tempfile.TemporaryDirectory() as folder:
        names = subprocess.run([program, models, folder], check=True, capture_output=True, text=True).stdout.split()
        names = sorted(name for name in names if is_there(models / f"{name}.py"))
        for name in names:
            check(models / f"{name}.py", pathlib.Path(folder) / f"{name}.pt")
    print(f"{len(names)} models")
    assert len(names) > 50


if __name__ == "__main__":
    main()
