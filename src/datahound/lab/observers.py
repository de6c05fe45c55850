"""What a crawl's events say beyond its curve: mistakes, rewards, and where early stopping cuts."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from datahound.crawl.stopping import EarlyStop
from datahound.events import Event, Fetched, TargetFound, Visited, VisitOutcome
from datahound.model import Kind, Purpose
from datahound.settings import EarlyStopSettings

WATCHED = (Fetched, TargetFound, Visited, VisitOutcome)
"""The events that these observers are made of."""


class Group(NamedTuple):
    """Links with similar tag paths: what their pages brought on average, and one of the paths."""

    mean: float
    pages: int
    tag_path: str


@dataclass(slots=True)
class Confusion:
    """What URLs were taken for, unasked, and what they were.

    A URL whose kind a HEAD told, the seed and redirects are left out: nobody guessed there.
    """

    seed: str
    counts: dict[tuple[Kind, Kind], int] = field(default_factory=dict)
    """By what a URL was and what it was taken for."""
    _told: set[str] = field(default_factory=set)

    def observe(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Fetched):
                self._note(event)

    def _note(self, event: Fetched) -> None:
        url = event.fetch.url
        if event.fetch.purpose is Purpose.PROBE:
            self._told.add(url)
            return
        is_redirect = event.status is not None and 300 <= event.status < 400
        if event.expected is Kind.UNKNOWN or is_redirect or url == self.seed or url in self._told:
            return
        cell = (event.kind, event.expected)
        self.counts[cell] = self.counts.get(cell, 0) + 1


@dataclass(slots=True)
class Rewards:
    """What the pages of each group of tag paths brought."""

    _by_group: dict[int, list[int]] = field(default_factory=dict)
    _paths: dict[int, str] = field(default_factory=dict)

    def observe(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Visited) and event.outcome is VisitOutcome.READ:
                self._note(event.choice.group, event.choice.link.tag_path, event.reward)

    def groups(self) -> list[Group]:
        """Every group with a reward, the best first."""
        found = [
            Group(statistics.fmean(rewards), len(rewards), self._paths[group])
            for group, rewards in self._by_group.items()
            if any(rewards)
        ]
        return sorted(found, key=lambda group: -group.mean)

    def pages(self) -> list[int]:
        """The rewards of all pages that had one."""
        return [reward for rewards in self._by_group.values() for reward in rewards if reward]

    def _note(self, group: int | None, tag_path: str, reward: int) -> None:
        if group is not None:
            self._by_group.setdefault(group, []).append(reward)
            self._paths.setdefault(group, tag_path)


class EarlyCut:
    """Where early stopping would have ended a crawl that went on to its end."""

    def __init__(self, settings: EarlyStopSettings | None = None) -> None:
        self._stop = EarlyStop(settings or EarlyStopSettings())
        self._gets = 0
        self._targets = 0
        self._requests = 0
        self.requests: int | None = None
        """The requests made by then; None if it never stops."""
        self.targets: int | None = None

    def observe(self, events: Sequence[Event]) -> None:
        for event in events:
            if self.requests is not None:
                return
            if isinstance(event, Fetched):
                self._requests = event.number
                if event.fetch.purpose is not Purpose.PROBE:
                    self._gets += 1
                    self._stop.observe(self._gets, self._targets)
            elif isinstance(event, TargetFound):
                self._targets += 1
            elif isinstance(event, Visited) and self._stop.barren:
                self.requests, self.targets = self._requests, self._targets
