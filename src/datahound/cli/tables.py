"""What tables on the terminal share."""

import sys

from rich.console import Console

from datahound.text import blank_unprintable

_LOG_WIDTH = 110
_PATH_WIDTH = 60


def console() -> Console:
    """Standard output as wide as the terminal; wide enough for a table where it is a log."""
    return Console(width=None if sys.stdout.isatty() else _LOG_WIDTH)


def shorten_path(tag_path: str) -> str:
    """A tag path without control characters; its end tells links apart, so its beginning is cut."""
    path = blank_unprintable(tag_path)
    return path if len(path) <= _PATH_WIDTH else "…" + path[1 - _PATH_WIDTH :]
