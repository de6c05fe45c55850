"""Small objects for people: what all workers must do, and the figures of each."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from datahound.errors import UserError
from datahound.fleet.records import CONTROL, FIGURES
from datahound.remote.objects import Objects


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
    return sum(int(figures["requests"]) for figures in read_figures(objects))


def write_figures(objects: Objects, session: str, figures: dict[str, Any]) -> None:
    """Write the figures of one worker."""
    objects.put(f"{FIGURES}{session}.json", json.dumps(figures).encode())


def read_figures(objects: Objects) -> list[dict[str, Any]]:
    """Read the figures of all workers, those that have ended too; each with its session."""
    found = []
    for key, _ in objects.list(FIGURES):
        stored = objects.get(key)
        if stored is None:
            continue
        name = key.removeprefix(FIGURES).removesuffix(".json")
        try:
            found.append({**json.loads(stored.data), "session": name})
        except (ValueError, TypeError):
            raise UserError(f"{key}: is damaged, or of another version of Datahound") from None
    return found
