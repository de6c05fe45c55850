"""What the store knows of a fleet: sites in groups by address, and who holds each group."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from datahound.errors import UserError

FLEET = "fleet/fleet.json"
GROUPS = "fleet/groups/"
WORKERS = "fleet/workers/"
FIGURES = "fleet/figures/"
ADDRESSES = "fleet/addresses/"
SITES = "fleet/sites/"
CONTROL = "fleet/control.json"
CRAWLS = "crawls"
"""Where the crawl folders of all sites are."""

FORMAT = 1
"""Of all these records: a fleet with another number needs another version of Datahound."""

MOST_FAILURES = 6
# With pauses that double, six failures are half an hour apart in all.
_FIRST_PAUSE = 60.0
_LONGEST_PAUSE = 3600.0
_SPENT = ("requests spent", "bytes spent", "time is up")
"""Endings by a limit, which may be a higher one now."""


@dataclass(frozen=True, slots=True)
class FleetSite:
    """One site of a fleet: its URL and options, and its state."""

    url: str
    slug: str
    """The name of its crawl folder in the store."""
    options: Mapping[str, Any] = field(default_factory=dict)
    priority: int = 0
    deadline: float | None = None
    """Seconds since 1970."""
    due: float | None = 0.0
    """When it may be crawled next; None: never again."""
    failures: int = 0
    """How often in a row it failed."""
    requests: int = 0
    files: int = 0
    """What its crawl has asked for and found, when its last worker left it."""
    ended: str = ""
    """The cause of the last ending; '' before the first."""
    reason: str = ""
    round: int = 0
    """0 for the first crawl, then the number of the refresh."""
    limits: Mapping[str, Any] = field(default_factory=dict)
    """What a refresh may ask for: fields of `RoundRequest`."""
    news: Mapping[str, int] = field(default_factory=dict)
    """New, changed and gone files of the last refresh, and its requests."""
    left: Mapping[str, float] = field(default_factory=dict)
    """New or changed files that the last refresh expected of what it did not ask, and its cost."""

    @property
    def is_finished(self) -> bool:
        return self.due is None

    @property
    def is_given_up(self) -> bool:
        """Whether it failed too often, or could not be crawled at all."""
        return self.is_finished and (self.failures >= MOST_FAILURES or self.ended == "bad input")

    def is_due(self, now: float) -> bool:
        """Whether it may be crawled now; a pause that is too long is of a clock that went wrong."""
        return self.due is not None and not now < self.due <= now + _LONGEST_PAUSE

    def order_again(self, wanted: "FleetSite") -> "FleetSite":
        """The site with the options, priority and deadline that were given last.

        If it has failed, or has reached a limit, other options make it due again.
        """
        changed = replace(
            self, options=wanted.options, priority=wanted.priority, deadline=wanted.deadline
        )
        # As JSON: what was read from the store has lists where there were tuples.
        is_same = json.dumps(self.options) == json.dumps(wanted.options)
        if is_same or not (self.is_given_up or (self.is_finished and self.ended in _SPENT)):
            return changed
        return replace(changed, due=0.0, failures=0)

    @property
    def expected(self) -> float:
        """Expected new files per request, drawn towards one in ten while little is known.

        After a refresh: what it found, and what it left for later, per request of both.
        """
        if not self.news:
            # A Beta(1, 9) prior: the rate of a site is not known from its first ten requests.
            return (self.files + 1) / (self.requests + 10)
        found = self.news.get("new", 0) + self.news.get("changed", 0) + self.left.get("expected", 0)
        return (found + 1) / (self.news.get("requests", 0) + self.left.get("requests", 0) + 10)

    def order(self, now: float) -> tuple[float, float, float, str]:
        """The smaller, the sooner: by priority, deadline, and new files per request.

        A deadline that has passed can't be met: the time is better spent on the others.
        """
        deadline = self.deadline if self.deadline is not None else float("inf")
        deadline = deadline if deadline >= now else float("inf")
        # The slug last, so that all workers have one order.
        return (-self.priority, deadline, -self.expected, self.slug)

    def begin_round(self, limits: Mapping[str, Any]) -> "FleetSite":
        """The site before its next refresh, due at once by whatever clock."""
        return replace(self, round=self.round + 1, limits=limits, due=0.0, failures=0)

    def finish(self, *, cause: str, reason: str, requests: int, files: int) -> "FleetSite":
        """The site after a crawl that ended as planned."""
        return replace(
            self, due=None, failures=0, requests=requests, files=files, ended=cause, reason=reason
        )

    def postpone(self, now: float, reason: str) -> "FleetSite":
        """The site after a failure: tried again after a pause that doubles, or given up."""
        failures = self.failures + 1
        pause = min(_FIRST_PAUSE * 2 ** (failures - 1), _LONGEST_PAUSE)
        due = None if failures >= MOST_FAILURES else now + pause
        return replace(self, due=due, failures=failures, ended="failed", reason=reason)


@dataclass(frozen=True, slots=True)
class Group:
    """The sites that share an address. One worker at a time holds all of them."""

    key: str
    addresses: tuple[str, ...]
    sites: tuple[FleetSite, ...] = ()
    holder: str = ""
    """The session of the worker; '' for none."""
    epoch: int = 0
    """Grows with every worker that takes the group."""

    def find_due(self, now: float) -> FleetSite | None:
        """The site to crawl first, of those that are due."""
        due = (site for site in self.sites if site.is_due(now))
        return min(due, key=lambda site: site.order(now), default=None)

    @property
    def next_due(self) -> float | None:
        """When the first of its sites is due; None if all are finished."""
        return min((site.due for site in self.sites if site.due is not None), default=None)

    def find_next_due(self, now: float) -> float | None:
        """When a worker should look at the group; None if all of its sites are finished."""
        return now if self.find_due(now) else self.next_due

    def put(self, site: FleetSite) -> "Group":
        """The group with a site changed, or added."""
        others = tuple(other for other in self.sites if other.slug != site.slug)
        return replace(self, sites=(*others, site))

    def encode(self) -> bytes:
        """Return the group as JSON."""
        return json.dumps(asdict(self), sort_keys=True).encode()


def decode_group(data: bytes, key: str) -> Group:
    """Read a group from JSON."""
    try:
        fields = json.loads(data)
        sites = tuple(FleetSite(**site) for site in fields.pop("sites"))
        addresses = tuple(fields.pop("addresses"))
        return Group(**fields, addresses=addresses, sites=sites)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise UserError(f"{key}: is damaged, or of another version of Datahound") from None
