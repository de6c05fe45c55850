"""A request for a page: the crawl, and its checked parameters."""

from collections.abc import Mapping
from dataclasses import dataclass

from aiohttp import web

from datahound.dashboard.cache import AnswerCache
from datahound.dashboard.crawls import Crawls, CrawlView

_MAX_LENGTH = 4000
# The largest integer that JavaScript has exactly.
_MAX_NUMBER = 1 << 53
CRAWLS = web.AppKey("crawls", Crawls)
CACHE = web.AppKey("cache", AnswerCache)


@dataclass(frozen=True, slots=True)
class Parameters:
    """The query parameters of a page, checked: users and other programs may write anything."""

    query: Mapping[str, str]

    def text(self, name: str) -> str:
        return self.query.get(name, "")[:_MAX_LENGTH].strip()

    def number(self, name: str) -> int | None:
        """A parameter as a whole number; None if it is not one."""
        given = self.query.get(name, "")
        if not (given.isascii() and given.isdigit() and len(given) < 17):
            return None
        return min(int(given), _MAX_NUMBER)


@dataclass(frozen=True, slots=True)
class PageRequest:
    """One request for a page of a crawl."""

    crawl: CrawlView
    query: Mapping[str, str]
    part: int = 0
    """The number in the path, 0 if there is none."""

    @property
    def parameters(self) -> Parameters:
        return Parameters(self.query)

    def text(self, name: str) -> str:
        return self.parameters.text(name)

    def number(self, name: str) -> int | None:
        return self.parameters.number(name)


def find_crawl(request: web.Request) -> CrawlView:
    """The crawl that the path of a request names."""
    return request.app[CRAWLS].get(request.match_info["id"])
