"""usage: python -m shards_of KNEAD [numbers] [saves] [memory] [fsdp] [speed]"""
import os
import pathlib
import platform
import sys
import tempfile

import torch

from shards_of import fsdp, memory, numbers, saves, speed

PARTS = {"numbers": numbers.main, "saves": saves.main, "memory": memory.main, "fsdp": fsdp.main, "speed": speed.main}


def main(knead, parts):
    model = next(line for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("model name"))
    print(f"machine    {model.split(': ')[1].strip()}, {os.cpu_count()} threads, load {os.getloadavg()[0]:.2f}")
    print(f"python     {platform.python_version()}, PyTorch {torch.__version__}")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for part in parts or PARTS:
            wrong += PARTS[part](knead, pathlib.Path(folder))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
