"""What a display shows, and what every display can do."""

from collections.abc import Sequence
from typing import Protocol

from datahound.runs import Ended, Progress
from datahound.runs.options import Options
from datahound.settings import Settings


class Shown(Protocol):
    """A run, or a recording."""

    options: Options
    settings: Settings
    progress: Progress
    ended: Ended | None

    @property
    def name(self) -> str: ...

    @property
    def files_under_way(self) -> int: ...

    @property
    def remarks(self) -> list[str]: ...


class Display(Protocol):
    """Shows crawls while they run."""

    every_seconds: float

    def show(self, runs: Sequence[Shown]) -> None: ...

    def end(self, runs: Sequence[Shown]) -> None:
        """Remove the view."""
        ...
