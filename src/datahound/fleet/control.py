"""Small objects for people: what all workers must do, and the figures of each."""

import json
import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import Any

from datahound.errors import UserError
from datahound.fleet.records import CONTROL, FIGURES, WORKERS
from datahound.remote.objects import Objects

_READERS = 16

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Control:
    """What all workers must do."""

    stop: bool = False
    budget: int | None = None
    """Requests of the whole fleet, at most, from `spent` on."""
    spent: int = 0
    """Requests that the workers had made when the crawls or refreshes of now began."""
    limits: Mapping[str, Any] = field(default_factory=dict)
    """What the last refresh was allowed; a later `run` allows the same."""

    def is_spent(self, requests: int) -> bool:
        """Whether the budget is spent, given the requests of all workers so far."""
        return self.budget is not None and requests - self.spent >= self.budget


def read_control(objects: Objects) -> Control:
    """Read the control object; without one, all workers work."""
    stored = objects.get(CONTROL)
    try:
        return Control(**json.loads(stored.data)) if stored else Control()
    except (ValueError, TypeError):
        raise UserError(f"{CONTROL}: is damaged, or of another version of Datahound") from None


def write_control(objects: Objects, control: Control) -> None:
    """Write the control object; workers read it several times per term."""
    objects.put(CONTROL, json.dumps(asdict(control)).encode())


def count_requests(objects: Objects) -> int:
    """The requests of all workers so far, those that have ended too."""
    return sum(figures["requests"] for figures in read_figures(objects))


def write_figures(objects: Objects, session: str, figures: dict[str, Any]) -> None:
    """Write the figures of one worker."""
    objects.put(f"{FIGURES}{session}.json", json.dumps(figures).encode())


def read_figures(objects: Objects) -> list[dict[str, Any]]:
    """Read the figures of all workers, those that have ended too; each with its session."""
    keys = [key for key, _ in objects.list(FIGURES)]
    with ThreadPoolExecutor(_READERS) as threads:
        found = threads.map(lambda key: _read_figures_of(objects, key), keys)
        return [figures for figures in found if figures]


def _read_figures_of(objects: Objects, key: str) -> dict[str, Any] | None:
    stored = objects.get(key)
    if stored is None:
        return None
    try:
        found = json.loads(stored.data)
        # What is added up or shown: a worker that lives writes it again soon.
        figures = {"requests": int(found["requests"]), "running": dict(found["running"])}
        return {**found, **figures, "at": float(found["at"]), "session": _name_session(key)}
    except (ValueError, TypeError, KeyError):
        _log.warning("%s: is damaged, or of another version of Datahound; left out", key)
        return None


def forget_ended(objects: Objects) -> None:
    """Remove the figures of workers that have ended; otherwise each night would add some."""
    alive = {key.removeprefix(WORKERS) for key, _ in objects.list(WORKERS)}
    for key in [key for key, _ in objects.list(FIGURES) if _name_session(key) not in alive]:
        objects.delete(key)


def _name_session(key: str) -> str:
    return key.removeprefix(FIGURES).removesuffix(".json")
