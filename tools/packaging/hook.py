"""What pip builds of this repository: an empty package that requires `knead-lint`, so that pre-commit needs no compiler.

pre-commit installs the repository that a hook is in. pip asks `pyproject.toml`, and that names this module (PEP 517).
"""

import pathlib
import re

from write_wheel import Wheel


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = (pathlib.Path(__file__).parents[2] / "CMakeLists.txt").read_text()
    version = re.search(r"project\(knead VERSION ([0-9.]+)", project)[1]
    wheel = Wheel("knead-hook", version, "What pre-commit installs for the hook knead-lint", [f"knead-lint=={version}"])
    return wheel.write(wheel_directory, "py3-none-any")
