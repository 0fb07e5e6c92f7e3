"""What the safetensors package writes we read, what we write it reads, byte for byte; damaged headers are refused by both.

usage: safetensors_test.py SAFETENSORS_COPY
"""

import pathlib
import random
import subprocess
import sys
import tempfile

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save

DTYPES = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8,
          torch.uint8, torch.uint16, torch.uint32, torch.uint64, torch.bool, torch.complex64, torch.float8_e4m3fn,
          torch.float8_e5m2]
SHAPES = [(), (0,), (1,), (3, 0, 2), (2, 3), (5,), (2, 1, 4)]


def tensors(chance):
    out = {}
    for number in range(chance.randrange(1, 12)):
        dtype, shape = chance.choice(DTYPES), chance.choice(SHAPES)
        name = chance.choice(["weight", "0.bias", "a/b", "ä", 'quo"te', "new\nline", "\x7f"]) + str(number)
        out[name] = torch.randint(0, 2, shape).to(dtype)
    return out


def copies(program, files, folder):
    """What the program says to each of these byte strings, and what it wrote."""
    words = []
    for number, data in enumerate(files):
        (folder / f"{number}.in").write_bytes(data)
        (folder / f"{number}.out").unlink(missing_ok=True)
        words += [folder / f"{number}.in", folder / f"{number}.out"]
    said = subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(said) == len(files), said[-3:]
    return [(line, folder / f"{number}.out") for number, line in enumerate(said)]


def is_accepted(data):
    try:
        load(data)
        return True
    except SafetensorError:
        return False


def damaged(data, chance):
    """The file with a byte of its header changed, or cut, or with more."""
    data = bytearray(data)
    length = int.from_bytes(data[:8], "little")
    kind = chance.randrange(4)
    if kind == 0:
        return bytes(data[:chance.randrange(len(data))])
    if kind == 1:
        return bytes(data) + b"\0"
    at = chance.randrange(8 + length)
    data[at] = chance.choice(b'0123456789[]{}",:abcFUI ') if kind == 2 else chance.randrange(256)
    return bytes(data)


def main():
    program, chance = sys.argv[1], random.Random(4)
    torch.manual_seed(4)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        written = [save(tensors(chance), metadata=chance.choice([None, {"format": "pt"}])) for _ in range(100)]
        for data, (line, out) in zip(written, copies(program, written, folder)):
            assert line == "ok", line
            assert out.read_bytes() == data, (out.read_bytes()[:300], data[:300])
        wrong = [damaged(chance.choice(written), chance) for _ in range(3000)]
        refused = 0
        for data, (line, _) in zip(wrong, copies(program, wrong, folder)):
            ours, theirs = line == "ok", is_accepted(data)
            # Stricter than the package we may be, never laxer.
            assert theirs or not ours, (line, data[:300])
            refused += not ours
            if theirs and not ours:
                print("refused by us alone:", line.split(": ", 1)[1])
        print(f"{len(written)} files are the same after a copy, {refused} of {len(wrong)} damaged ones are refused")


main()
