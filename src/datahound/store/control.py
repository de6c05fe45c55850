"""Telling a running crawl to pause, to go on or to stop, through a file in its folder."""

import contextlib
import os
from pathlib import Path

from datahound.errors import StorageError, UserError
from datahound.store.folder import Folder

PAUSE, STOP = "pause", "stop"
_LONGEST = 16


def tell(path: Path, word: str) -> None:
    """Tell the crawl in a folder to `pause`, to `continue` or to `stop`."""
    folder = Folder(path)
    if word not in (PAUSE, STOP, "continue"):
        raise UserError(f"a crawl can't be told to {word!r}: pause, continue or stop")
    if not folder.is_claimed():
        raise UserError(f"{path}: no crawl is running in this folder")
    try:
        if word == "continue":
            folder.control.unlink(missing_ok=True)
            return
        draft = folder.control.with_name(f".{folder.control.name}.part")
        draft.write_text(word)
        draft.replace(folder.control)
    except OSError as error:
        raise StorageError(f"{folder.control}: can't be written: {error.strerror}") from None


def told(control: Path) -> str:
    """What the crawl was told: `pause`, `stop`, or '' to go on."""
    try:
        fd = os.open(control, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    try:
        word = os.read(fd, _LONGEST).decode("ascii", "replace").strip()
    except OSError:
        return ""
    finally:
        os.close(fd)
    return word if word in (PAUSE, STOP) else ""


def forget(control: Path) -> None:
    """Nothing is told any more."""
    with contextlib.suppress(OSError):
        control.unlink()
