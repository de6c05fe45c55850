"""A file to judge: the sheets that a publication consists of, and what is true of its main table."""
# ruff: noqa: E501 contents of files, and templates with one signature

import random
from collections.abc import Callable
from dataclasses import dataclass

from published_words import Words

Cell = str | int | float | None
Rows = list[list[Cell]]


@dataclass(frozen=True)
class Truth:
    """The label of the main table, given by the template that wrote it."""

    names: list[str]
    """The text that the name of each column must contain; '' where the column has none."""
    rows: int
    years: tuple[int, int] | None
    title: str = ""
    """Words that the title must contain; '' if the file has no title."""
    statistics: bool = True


@dataclass(frozen=True)
class Case:
    """The content of a file."""

    sheets: list[tuple[str, Rows]]
    truth: Truth
    header: int = -1
    """First header row of the longest sheet; -1 where it was not labelled."""
    body: int = -1
    """First row of its body."""


@dataclass(frozen=True)
class Draw:
    """A source of figures, seeded, in the notation of a language."""

    words: Words
    random: random.Random

    def count(self, low: int = 120, high: int = 98_000) -> int:
        return self.random.randint(low, high)

    def rate(self, low: float = 0.4, high: float = 94.0) -> float:
        return round(self.random.uniform(low, high), 1)

    def text(self, value: float) -> str:
        """A figure as its country writes it in a text file."""
        shown = f"{value:,}"
        if not self.words.comma:
            return shown
        return shown.replace(",", " ").replace(".", ",")

    def year(self) -> int:
        return self.random.randint(2004, 2015)


Template = Callable[[Draw, int], Case]


def pad(rows: Rows) -> Rows:
    width = max(map(len, rows))
    return [[*row, *[None] * (width - len(row))] for row in rows]
