"""Requests to portals' APIs (endpoints), as arms beside the groups of links.

One answer of an API may name a thousand files. If the bandit learned from it, every untried group
would seem to be as rich. So endpoints have their own arms, which are compared with the site's files
per visit:

    expected(arm) = (prior(platform) + files) / (1 + visits)

An endpoint is requested if its arm expects at least twice the files per visit of the site. New
endpoints that an answer names count as half of the files that they promise, because an answer that
lists folders names no files itself.
"""

from collections.abc import Iterable, Iterator, Mapping
from math import inf, isfinite
from typing import Any

from datahound.crawl.strategy import State
from datahound.model import Link
from datahound.web.urls import origin_and_path

_PRIORS = {
    "arcgis": 50.0,
    "ckan": 100.0,
    "csw": 20.0,
    "dataverse": 100.0,
    "datasette": 5.0,
    "dcat-ap": 50.0,
    "dcat-us": 100.0,
    "erddap": 50.0,
    "feed": 1.0,
    "invenio": 25.0,
    "oai-pmh": 2.0,
    "opendatasoft": 50.0,
    "pxweb": 10.0,
    "sdmx": 50.0,
    "socrata": 100.0,
    "stac": 5.0,
    "thredds": 5.0,
    "udata": 100.0,
    "wordpress": 10.0,
}
"""Files that the first answer of a platform brings, by the usual number of entries per answer."""
_PRIOR = 5.0
_LIMITS = "config"
"""A request for the limits of a portal goes first, since other requests depend on them."""
_MARGIN = 2.0
_CREDIT = 0.5
# Lists that name lists must not look richer than those that name files.
_MAX_CREDIT = 20.0


class EndpointArms:
    """Endpoints that wait, by origin, platform and request, in the order of discovery."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._visits: dict[str, int] = {}
        self._files: dict[str, float] = {}
        self._waiting: dict[str, dict[int, Link]] = {}

    def __iter__(self) -> Iterator[Link]:
        return (link for links in self._waiting.values() for link in links.values())

    def find_group(self, link: Link) -> int | None:
        """The number of a link's group, if it has one already."""
        return self._numbers.get(_name_arm(link))

    def name_group(self, link: Link, number: int) -> None:
        """Set the number of a link's group."""
        self._numbers[_name_arm(link)] = number

    def add(self, link: Link) -> None:
        """Keep an endpoint for later."""
        self._waiting.setdefault(_name_arm(link), {})[link.number] = link

    def choose(self, rate: float, *, is_last: bool) -> Link | None:
        """The next endpoint, if it promises more than links do, or if no link waits (`is_last`)."""
        arms = [name for name, links in self._waiting.items() if links]
        if not arms:
            return None
        best = max(arms, key=self.expect)
        if not is_last and self.expect(best) < _MARGIN * rate:
            return None
        links = self._waiting[best]
        # First in, first out: the pages of a list in their order.
        return links.pop(next(iter(links)))

    def expect(self, name: str) -> float:
        """The files that the next answer of an arm brings."""
        _, platform, request = name.split(" ", 2)
        if request == _LIMITS:
            return inf
        prior = _PRIORS.get(platform, _PRIOR)
        return (prior + self._files.get(name, 0.0)) / (1 + self._visits.get(name, 0))

    def expect_of(self, link: Link) -> float:
        """The files that the answer of an endpoint brings."""
        return self.expect(_name_arm(link))

    def learn(self, link: Link, files: int, new_links: Iterable[Link]) -> None:
        """Learn how many files an endpoint brought, and which endpoints it named."""
        name = _name_arm(link)
        promises = (self.expect_of(new) for new in new_links if new.is_endpoint)
        promised = sum(filter(isfinite, promises))
        self._visits[name] = self._visits.get(name, 0) + 1
        credit = min(_CREDIT * promised, _MAX_CREDIT)
        self._files[name] = self._files.get(name, 0.0) + files + credit

    def snapshot(self) -> State:
        return {
            "numbers": dict(self._numbers),
            "visits": dict(self._visits),
            "files": dict(self._files),
            "waiting": [[name, list(links)] for name, links in self._waiting.items()],
        }

    def restore(self, state: Mapping[str, Any], links: Mapping[int, Link]) -> None:
        self._numbers = dict(state["numbers"])
        self._visits, self._files = dict(state["visits"]), dict(state["files"])
        self._waiting = {
            name: {number: links[number] for number in numbers}
            for name, numbers in state["waiting"]
        }


def _name_arm(link: Link) -> str:
    """Origin, platform and request of an endpoint, without the mark of its source."""
    _, platform, request, *_ = f"{link.tag_path} ".split(" ")
    return f"{origin_and_path(link.url)[0]} {platform} {request}"
