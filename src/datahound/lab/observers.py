"""Read more than the curve from a crawl's events: misclassifications, rewards, early stopping."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from datahound.crawl.stopping import EarlyStop
from datahound.events import Event, Fetched, TargetFound, Visited, VisitOutcome
from datahound.model import Kind, Purpose
from datahound.settings import EarlyStopSettings
from datahound.web.messages import is_redirect

WATCHED = (Fetched, TargetFound, Visited)
"""The events that these observers read."""


class RankedGroup(NamedTuple):
    """Links with similar tag paths: the mean reward of their pages, and one of the paths."""

    mean: float
    pages: int
    tag_path: str


@dataclass(slots=True)
class Confusion:
    """The confusion matrix of the URL classifier: the kind of each URL, and the expected kind.

    Left out are the seed, redirects and URLs probed by a HEAD, whose kind was not guessed.
    """

    seed: str
    counts: dict[tuple[Kind, Kind], int] = field(default_factory=dict)
    """URLs by actual and expected kind."""
    _probed: set[str] = field(default_factory=set)

    def observe(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Fetched):
                self._count(event)

    def _count(self, event: Fetched) -> None:
        url = event.fetch.url
        if event.fetch.purpose is Purpose.PROBE:
            self._probed.add(url)
            return
        redirected = event.status is not None and is_redirect(event.status)
        # A redirect has no kind of its own, and nothing was guessed of the others.
        if event.expected is Kind.UNKNOWN or redirected or url == self.seed or url in self._probed:
            return
        cell = (event.kind, event.expected)
        self.counts[cell] = self.counts.get(cell, 0) + 1


@dataclass(slots=True)
class Rewards:
    """The rewards of the pages of each group of tag paths."""

    _by_group: dict[int, list[int]] = field(default_factory=dict)
    _paths: dict[int, str] = field(default_factory=dict)

    def observe(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Visited) and event.outcome is VisitOutcome.READ:
                self._credit(event.choice.group, event.choice.link.tag_path, event.reward)

    def rank_groups(self) -> list[RankedGroup]:
        """Return every group with a reward, the highest mean first."""
        found = [
            RankedGroup(statistics.fmean(rewards), len(rewards), self._paths[group])
            for group, rewards in self._by_group.items()
            if any(rewards)
        ]
        return sorted(found, key=lambda group: -group.mean)

    def list_page_rewards(self) -> list[int]:
        """Return the rewards that are not 0, page by page."""
        return [reward for rewards in self._by_group.values() for reward in rewards if reward]

    def _credit(self, group: int | None, tag_path: str, reward: int) -> None:
        if group is not None:
            self._by_group.setdefault(group, []).append(reward)
            self._paths.setdefault(group, tag_path)


class EarlyCut:
    """Finds where early stopping would have ended a crawl that ran to its end.

    Up to that request, a crawl with early stopping makes the same requests.
    """

    def __init__(self, settings: EarlyStopSettings | None = None) -> None:
        self._stop = EarlyStop(settings or EarlyStopSettings())
        self._gets = 0
        self._targets = 0
        self._requests = 0
        self.requests: int | None = None
        """Requests made by then; None if it never stops."""
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
