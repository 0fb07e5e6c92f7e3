"""What both modules of hostile files need: a small recipe, and things that are no files on a disk."""

import io
import os
import pathlib
import socket
import struct
import tarfile
import tempfile
import zipfile

MODEL = """import torch.nn as nn


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)

    def forward(self, x):
        return self.a(x)
"""
TABLE = "1,2,0\n3,4,1\n"


def recipe(data='{type: csv, path: data.csv, fields: {x: "0:2", y: {columns: 2, dtype: int64}}}', model=""):
    """Returns a recipe that trains one step on `data`; `model` continues the block of the model."""
    return (f"version: 1\nname: r\nmodel: {{source: model.py, class: M{model}}}\ndata: {{train: {data}}}\n"
            "loss: {type: cross_entropy, target: y}\nbatch: 2\noptimizer: {type: sgd, lr: 0.1}\ntrain: 1 step\n")


def later(make):
    """Makes the bytes of a large file only when its case runs."""
    return lambda path: path.write_bytes(make())


def link(target):
    return lambda path: os.symlink(target, path)


def fifo(path):
    os.mkfifo(path)


def unix_socket(path):
    """Leaves the name of a socket, which is bound elsewhere: the name of one may not be long."""
    with socket.socket(socket.AF_UNIX) as made, tempfile.TemporaryDirectory(dir=path.parent) as short:
        here = os.path.relpath(short)
        made.bind(os.path.join(here if len(here) < len(short) else short, "s"))
        os.rename(os.path.join(short, "s"), path)


def folder(path):
    path.mkdir()


def holes(size, begin=b""):
    """A file of `size` bytes of which only `begin` is on the disk."""
    def make(path: pathlib.Path):
        path.write_bytes(begin)
        os.truncate(path, size)
    return make


def loop_of_two(path):
    os.symlink(path.name + "2", path)
    os.symlink(path.name, path.with_name(path.name + "2"))


def link_to_itself(path):
    os.symlink(path.name, path)


# What a name may stand for that is no regular file of some bytes.
STRANGE = {
    "fifo": fifo,
    "dev-zero": link("/dev/zero"),
    "dev-random": link("/dev/urandom"),
    "dev-full": link("/dev/full"),
    "dev-tty": link("/dev/tty"),
    "socket": unix_socket,
    "folder": folder,
    "link-to-itself": link_to_itself,
    "loop-of-two-links": loop_of_two,
    "dangling-link": link("nothing/is/here"),
    "link-to-a-fifo": lambda path: (os.mkfifo(path.with_name("pipe")), os.symlink("pipe", path)),
    "memory-of-the-process": link("/proc/self/mem"),
    "pages-of-the-process": link("/proc/self/pagemap"),
    "kernel-trace": link("/proc/kmsg"),
    "empty": b"",
    "one-byte": b"x",
    "zeros": bytes(1 << 20),
    "five-gigabytes-of-holes": holes(5 << 30),
    "no-rights": lambda path: (path.write_bytes(b"x" * 100), path.chmod(0)),
}

# Names that no file can have, or that no file should have.
NAMES = {
    "name-of-300-characters": "n" * 300,
    "name-of-5000-characters": "n" * 5000,
    "path-of-3000-folders": "a/" * 3000 + "x",
    "path-back-and-forth": "../" * 500 + "x",
    "name-with-escapes": "a\\e[2Jb\\n\\e]0;t\\a",
}


def zipped(members, compression=zipfile.ZIP_STORED):
    """A zip archive of members: name -> bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def tar_of(members):
    """A tar archive of members: (name, bytes)."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def number(form, *values):
    return struct.pack("<" + form, *values)
