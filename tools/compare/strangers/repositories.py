"""Public repositories at a commit, each in a folder of its own; nothing of them is part of this project."""

import os
import pathlib
import subprocess
import threading

BIGGEST = 5 << 20  # bytes; larger files (weights, videos) are left out
_making = threading.Lock()


class Unreachable(Exception):
    """A repository or its commit cannot be fetched."""


def git(*words, folder, feed=None):
    result = subprocess.run(["git", f"--git-dir={folder}", *words], input=feed, capture_output=True)
    if result.returncode:
        raise Unreachable(result.stderr.decode(errors="replace").strip().splitlines()[-1])
    return result.stdout


def fetched(repository, commit, cache):
    """The git folder with the commit: that of MOVERS_MIRROR if it is there, else one that is fetched now."""
    mirror = os.environ.get("MOVERS_MIRROR")
    if mirror:
        for place in pathlib.Path(mirror).glob(f"{repository.replace('/', '+')}*/**/HEAD"):
            if (place.parent / "objects").is_dir():
                return place.parent
    folder = cache / "git" / (repository.replace("/", "+") + ".git")
    if not folder.exists():
        subprocess.run(["git", "init", "--quiet", "--bare", str(folder)], check=True)
    try:
        git("cat-file", "-e", f"{commit}^{{tree}}", folder=folder)
    except Unreachable:
        url = f"https://github.com/{repository}.git"
        git("fetch", "--quiet", "--depth=1", f"--filter=blob:limit={BIGGEST}", url, commit, folder=folder)
    return folder


def tree(repository, commit, cache):
    """The files of the commit, in a folder that is made once."""
    place = cache / "trees" / f"{repository.replace('/', '+')}@{commit[:12]}"
    with _making:
        if not place.is_dir():
            make_tree(place, fetched(repository, commit, cache), commit)
    return place


def make_tree(place, folder, commit):
    partial = place.with_name(place.name + ".partial")
    for line in git("ls-tree", "-r", "-l", "-z", commit, folder=folder).split(b"\0"):
        if not line:
            continue
        what, name = line.split(b"\t", 1)
        mode, kind, blob, size = what.decode().split()
        path = partial / os.fsdecode(name)
        is_inside = ".." not in path.parts
        if kind != "blob" or mode == "120000" or not is_inside or not size.isdigit() or int(size) > BIGGEST:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(git("cat-file", "blob", blob, folder=folder))
    partial.rename(place)
