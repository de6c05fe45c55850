"""What tables on the terminal share."""

import sys

from rich.console import Console

_LOG_WIDTH = 110
_PATH_WIDTH = 60


def console() -> Console:
    """Standard output as wide as the terminal; wide enough for a table where it is a log."""
    return Console(width=None if sys.stdout.isatty() else _LOG_WIDTH)


def shorten_path(tag_path: str) -> str:
    """Cut the beginning of a long tag path; its end tells links apart."""
    return tag_path if len(tag_path) <= _PATH_WIDTH else "…" + tag_path[1 - _PATH_WIDTH :]
