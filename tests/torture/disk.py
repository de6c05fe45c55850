"""Builds the library that stands between a process and its disk."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("disk.c")


def build(folder):
    """The path of the library; tests are skipped where there is no C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler is here")
    library = folder / "disk.so"
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl", "-lpthread"]
    subprocess.run(command, check=True)
    return library


def environment(library, folder, **more):
    return {**os.environ, "LD_PRELOAD": str(library), "DISK_FOLDER": str(folder), **more}
