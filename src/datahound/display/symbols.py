"""Bars and sparklines, in the characters that the output can print."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Symbols:
    """The characters that pictures are drawn with."""

    full: str
    empty: str
    levels: str
    """From nothing to the most."""
    overflow: Literal["ellipsis", "crop"]
    """How text that is too long is cut: ASCII has no ellipsis."""


BLOCKS = Symbols("█", "░", " ▁▂▃▄▅▆▇█", "ellipsis")
ASCII = Symbols("#", ".", " .:-=+*#@", "crop")


def symbols_for(encoding: str | None) -> Symbols:
    """Blocks where the encoding has them, ASCII elsewhere.

    >>> symbols_for("utf-8").full, symbols_for("latin-1").full, symbols_for(None).full
    ('█', '#', '#')
    """
    try:
        (BLOCKS.full + BLOCKS.empty + BLOCKS.levels).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return BLOCKS


def draw_bar(share: float, width: int, symbols: Symbols) -> str:
    """A bar of which a share is full.

    >>> draw_bar(0.5, 10, ASCII), draw_bar(7.0, 4, ASCII)
    ('#####.....', '####')
    """
    full = round(min(1.0, max(0.0, share)) * width)
    return symbols.full * full + symbols.empty * (width - full)


def draw_spark(counts: Sequence[int], symbols: Symbols) -> str:
    """Counts as heights, one character each; a count above zero never looks like nothing.

    >>> draw_spark([0, 1, 4, 8], ASCII)
    ' .=@'
    """
    most = max(counts, default=0)
    if not most:
        return ""
    top = len(symbols.levels) - 1
    # Rounded up, so that one file is seen beside a thousand.
    return "".join(symbols.levels[-(-count * top // most)] for count in counts)
