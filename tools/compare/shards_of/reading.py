"""Reads checkpoints, of one process and of several ranks."""
import json
import struct

from ranks_of.numbers import FORMATS


def last_checkpoint(folder):
    return max((folder / "checkpoints").glob("step-*"))


def weights(folder):
    """The numbers of each weight of the last checkpoint, from one file or from those of all ranks."""
    numbers = {}
    for path in sorted(last_checkpoint(folder).glob("model*.safetensors")):
        with open(path, "rb") as file:
            (size,) = struct.unpack("<Q", file.read(8))
            header = json.loads(file.read(size))
            body = file.read()
        for name, tensor in header.items():
            if name == "__metadata__" or tensor["dtype"] not in FORMATS:
                continue
            begin, end = tensor["data_offsets"]
            code = FORMATS[tensor["dtype"]]
            numbers[name] = struct.unpack(f"<{(end - begin) // struct.calcsize(code)}{code}", body[begin:end])
    return numbers
