"""Whether a compressed file can be opened at all."""

import bz2
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

_PACKED: dict[str, Callable[..., Any]] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
}
_STEP = 1 << 20
_ENOUGH = 256 << 20


def opens(file: Path) -> bool:
    """Whether a file is as its name says: what is named as compressed begins well.

    Of a ZIP file, its first member, which is what readers of data packages look at.
    """
    suffix = file.suffix.lower()
    try:
        if suffix == ".zip":
            return _zip_opens(file)
        if suffix in _PACKED:
            with _PACKED[suffix](file) as opened:
                opened.read(_STEP)
    except (OSError, EOFError, ValueError, RuntimeError, lzma.LZMAError, zlib.error):
        return False
    return True


def _zip_opens(file: Path) -> bool:
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            if not names:
                return False
            with archive.open(names[0]) as opened:
                _read(opened)
    except (zipfile.BadZipFile, KeyError):
        return False
    return True


def _read(opened: IO[bytes]) -> None:
    done = 0
    while done < _ENOUGH and (data := opened.read(_STEP)):
        done += len(data)
