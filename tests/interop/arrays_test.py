"""What NumPy, safetensors and gzip write is read as they would read it: arrays_test.py PROGRAM"""

import gzip
import itertools
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy
import safetensors.torch
import torch

KINDS = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]


def read(program, *arguments):
    result = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def same(found, array):
    assert isinstance(found, dict), found
    assert found["shape"] == list(array.shape[1:]), (found["shape"], array.shape)
    ours = numpy.array([float(word) for word in found["values"]])
    assert numpy.array_equal(ours, array.astype("f8").reshape(-1), equal_nan=True), (ours, array)


def arrays(random):
    for kind, shape in itertools.product(KINDS, [(5,), (4, 3), (3, 2, 4)]):
        if kind == "?":
            yield random.random(shape) > 0.5
        elif kind[0] == "f":
            yield (random.standard_normal(shape) * 1000).astype(kind)
        else:
            bounds = numpy.iinfo(kind)
            yield random.integers(bounds.min, bounds.max, shape, dtype=kind, endpoint=True)


def check_npy(program, folder, array):
    path = folder / "a.npy"
    for order, version, layout in itertools.product("<>", [(1, 0), (2, 0), (3, 0)], "CF"):
        written = numpy.asarray(array, dtype=array.dtype.newbyteorder(order), order=layout)
        with open(path, "wb") as file:
            numpy.lib.format.write_array(file, written, version)
        same(read(program, "npy", path), array)


def check_archives(program, folder, random):
    several = {f"x{i}": array for i, array in enumerate(arrays(random))}
    for save in (numpy.savez, numpy.savez_compressed):
        save(folder / "a.npz", **several)
        for key, array in several.items():
            same(read(program, "npz", folder / "a.npz", key), array)
    tensors = {key: torch.from_numpy(array) for key, array in several.items()}
    tensors["brain"] = torch.randn(4, 3).bfloat16()
    safetensors.torch.save_file(tensors, folder / "a.safetensors")
    for key, tensor in tensors.items():
        same(read(program, "safetensors", folder / "a.safetensors", key), tensor.double().numpy())


def check_idx(program, folder, random):
    codes = {"u1": 8, "i1": 9, "i2": 11, "i4": 12, "f4": 13, "f8": 14}
    for array in arrays(random):
        code = codes.get(array.dtype.str[1:])
        if not code:
            continue
        sizes = struct.pack(f">{array.ndim}I", *array.shape)
        bytes_ = bytes([0, 0, code, array.ndim]) + sizes + array.astype(array.dtype.newbyteorder(">")).tobytes()
        (folder / "a.idx").write_bytes(bytes_)
        (folder / "a.idx.gz").write_bytes(gzip.compress(bytes_))
        same(read(program, "idx", folder / "a.idx"), array)
        same(read(program, "idx", folder / "a.idx.gz"), array)


def check_refusals(program, folder):
    path = folder / "a.npy"
    for array in (numpy.array([{}, None]), numpy.array([1 + 2j]), numpy.array(["word"]), numpy.array(3.0), numpy.zeros((0, 3))):
        numpy.save(path, array, allow_pickle=True)
        assert read(program, "npy", path) == "refused", array


def main():
    program = sys.argv[1]
    random = numpy.random.default_rng(0)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for array in arrays(random):
            check_npy(program, folder, array)
        check_archives(program, folder, random)
        check_idx(program, folder, random)
        check_refusals(program, folder)


main()
