"""What one hostile case is: files in a folder of its own, and one call of knead on them."""

import dataclasses
import pathlib
from typing import Callable, Union

Content = Union[bytes, str, Callable[[pathlib.Path], None]]

# A message, a place and a remedy: usage or recipe, data or model, training, resume.
REFUSALS = frozenset({2, 3, 5, 7})


@dataclasses.dataclass(frozen=True)
class Case:
    """One call of knead on hostile files.

    name: "weights/pickle-of-many-marks": the module that made it, then what is hostile in words.
    files: path in the case's folder -> its content, or a function that makes it (links, FIFOs, holes).
    arguments: of knead, in the case's folder.
    exits: the exit codes that are right. Files whose content is hostile and whose form is good may end in 0.
    environment: variables beside the few that the judge sets.
    takes_memory: a model may take what the machine has, and ends with a message where that ends.
    before: runs in the folder before knead and returns what is called after it (a server, a full disk).
    """

    name: str
    files: dict[str, Content]
    arguments: list[str]
    exits: frozenset[int] = REFUSALS
    environment: dict[str, str] = dataclasses.field(default_factory=dict)
    before: Union[Callable[[pathlib.Path], Callable[[], None]], None] = None
    takes_memory: bool = False


def lay_out(case: Case, folder: pathlib.Path) -> None:
    """Writes the files of a case."""
    for name, content in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if callable(content):
            content(path)
        elif isinstance(content, str):
            path.write_text(content)
        else:
            path.write_bytes(content)
