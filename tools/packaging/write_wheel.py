"""Writes a wheel of installed files: pip unpacks it with no code of ours.

usage: write_wheel.py NAME VERSION --summary TEXT [--requires REQUIREMENT] --to FOLDER INSTALLED

INSTALLED is what `cmake --install` made: bin/, share/ and folders that Python packages are unpacked beside.
The same files give the same bytes.
"""

import argparse
import base64
import csv
import hashlib
import io
import pathlib
import platform
import re
import subprocess
import zipfile


class Wheel:
    """What is in one wheel: its files by their places in the archive, and what pip is told of it."""

    def __init__(self, name, version, summary, requires=()):
        self.name, self.version = name, version
        self.stem = f"{name.replace('-', '_')}-{version}"
        self.metadata = "".join(f"{key}: {value}\n" for key, value in (
            ("Metadata-Version", "2.1"), ("Name", name), ("Version", version), ("Summary", summary),
            *(("Requires-Dist", requirement) for requirement in requires)))
        self.files = {}

    def add(self, place, content, executable=False):
        self.files[place] = content, executable

    def add_installed(self, folder):
        """Of a library, the file that a link is named after is left out: programs ask for the link."""
        links = [path for path in folder.rglob("*") if path.is_symlink()]
        behind_links = {path.resolve() for path in links}
        for path in folder.rglob("*"):
            if path.is_file() and (path.is_symlink() or path.resolve() not in behind_links):
                self.add(self.place(path.relative_to(folder)), path.read_bytes(), path.stat().st_mode & 0o100 != 0)

    def place(self, installed):
        """Where an installed file stands in the archive."""
        text = installed.as_posix()
        for start, place in (
                ("bin/", f"{self.stem}.data/scripts/"),
                ("share/doc/knead/licences/", f"{self.stem}.dist-info/licenses/"),
                # Where zsh looks outside of Debian's own packages.
                ("share/zsh/vendor-completions/", f"{self.stem}.data/data/share/zsh/site-functions/"),
                ("share/", f"{self.stem}.data/data/share/")):
            if text.startswith(start):
                return place + text[len(start):]
        return text

    def write(self, folder, tag):
        """Writes FOLDER/NAME-VERSION-TAG.whl; returns the name of the file."""
        pure = str(tag.endswith("-any")).lower()
        self.add(f"{self.stem}.dist-info/METADATA", self.metadata.encode())
        self.add(f"{self.stem}.dist-info/WHEEL",
                 f"Wheel-Version: 1.0\nGenerator: knead\nRoot-Is-Purelib: {pure}\nTag: {tag}\n".encode())
        self.add(f"{self.stem}.dist-info/RECORD", self.record().encode())
        name = f"{self.stem}-{tag}.whl"
        with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for place, (content, executable) in sorted(self.files.items()):
                entry = zipfile.ZipInfo(place)  # of 1980, whenever it is written
                entry.external_attr = (0o100755 if executable else 0o100644) << 16
                archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
        return name

    def record(self):
        lines = io.StringIO()
        table = csv.writer(lines, lineterminator="\n")
        for place, (content, _) in sorted(self.files.items()):
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            table.writerow((place, f"sha256={digest}", len(content)))
        table.writerow((f"{self.stem}.dist-info/RECORD", "", ""))
        return lines.getvalue()


def platform_tag(folder):
    """The manylinux tag of the oldest glibc that has every symbol that the programs and libraries ask for."""
    newest = 17
    for path in folder.rglob("*"):
        if path.is_file() and path.open("rb").read(4) == b"\x7fELF":
            symbols = subprocess.run(["objdump", "-T", path], check=True, capture_output=True, text=True).stdout
            newest = max([newest, *map(int, re.findall(r"\bGLIBC_2\.(\d+)", symbols))])
    return f"py3-none-manylinux_2_{newest}_{platform.machine()}"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("name")
    parser.add_argument("version")
    parser.add_argument("--summary", required=True)
    parser.add_argument("--requires", action="append", default=[])
    parser.add_argument("--to", required=True)
    parser.add_argument("installed", type=pathlib.Path)
    words = parser.parse_args()
    wheel = Wheel(words.name, words.version, words.summary, words.requires)
    wheel.add_installed(words.installed)
    print(wheel.write(words.to, platform_tag(words.installed)))


if __name__ == "__main__":
    main()
