"""What knead and DDP train: models of this repository on random data, the same on both sides."""
import json
import pathlib
import zipfile

import torch

ROOT = pathlib.Path(__file__).resolve().parents[3]

# Model file, class, arguments, samples of a step: a power of two, so that knead, which divides sums, and DDP, which averages
# means, divide without rounding.
WORKLOADS = {
    "mlp": ("mlp.py", "MLP", {"inputs": 512, "hidden": [2048, 2048, 1024], "outputs": 10}, 64),
    "gpt": ("gpt.py", "GPT",
            {"config": {"vocab": 65, "context": 64, "layers": 4, "heads": 4, "width": 128}}, 16),
    "resnet18": ("resnet.py", "ResNet", {"layers": [2, 2, 2, 2], "classes": 10, "small": True}, 32),
}


def data(name):
    """Inputs and targets of 20 steps, drawn from a fixed seed."""
    generator = torch.Generator().manual_seed(7)
    samples = 20 * WORKLOADS[name][3]
    if name == "gpt":
        tokens = torch.randint(65, (samples, 65), generator=generator)
        return tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous()
    shape = (samples, 512) if name == "mlp" else (samples, 3, 32, 32)
    return torch.randn(shape, generator=generator), torch.randint(10, (samples,), generator=generator)


def write_npz(path, arrays):
    """Writes tensors as numpy.savez would, which this environment need not have."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, tensor in arrays.items():
            kind = {torch.float32: "<f4", torch.int64: "<i8"}[tensor.dtype]
            shape = "(" + "".join(f"{size}, " for size in tensor.shape) + ")"
            header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
            header += " " * (-(len(header) + 11) % 64) + "\n"
            start = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little")
            archive.writestr(name + ".npy", start + header.encode() + bytes(tensor.contiguous().view(torch.uint8).numpy()))


def write_recipe(name, folder):
    """Writes the data and the recipe of a workload below a folder, and returns the recipe's path."""
    return write(name, WORKLOADS[name], data(name), folder)


def write(name, workload, tensors, folder, **more):
    """Writes a recipe and its data, inputs and targets. `more` holds further blocks of the recipe."""
    file, model, arguments, batch = workload
    inputs, targets = tensors
    write_npz(folder / f"{name}.npz", {"inputs": inputs, "targets": targets})
    recipe = {
        "version": 1,
        "name": name,
        "model": {"source": str(ROOT / "models" / file), "class": model, "args": arguments},
        "data": {"train": {"type": "npz", "path": f"{name}.npz", "fields": {"inputs": "inputs", "targets": "targets"}},
                 "shuffle": False},
        "loss": {"type": "cross_entropy", "target": "targets"},
        "batch": batch,
        "optimizer": {"type": "adamw", "lr": 1e-3, "weight_decay": 0.01},
        "train": "50 steps",
        "track": {"every": "1 steps"},
        "checkpoint": {"every": "1000000 steps"},
        "threads": 1,
        **more,
    }
    path = folder / f"{name}.yaml"
    path.write_text(json.dumps(recipe))
    return path
