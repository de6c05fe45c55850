"""Events of crawls as JSON, one a line."""

import json
import sys
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from enum import Enum

from datahound.display.shown import Shown
from datahound.events import Event
from datahound.runs import Run


class JsonLines:
    """One event a line."""

    every_seconds = 60.0

    def watch(self, run: Run, events: list[Event]) -> None:
        if run.catching_up:
            return
        for event in events:
            self._print(run, type(event).__name__, plain(event))

    def show(self, runs: Sequence[Shown]) -> None:
        """Events are shown as they come."""

    def end(self, runs: Sequence[Shown]) -> None:
        for run in runs:
            self._print(run, "Ended", plain(run.ended))
        sys.stdout.flush()

    def _print(self, run: Shown, name: str, what: object) -> None:
        told = what if isinstance(what, dict) else {}
        print(json.dumps({"site": run.options.url, "event": name, **told}, ensure_ascii=False))


def plain(value: object) -> object:
    """A value as JSON can hold it."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value
