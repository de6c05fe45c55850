"""A recorded site made ready for experiments: pages read once, and an oracle that knows it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from datahound.archive import Archive, Recorded, glance
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import replay
from datahound.errors import ArchiveError
from datahound.events import Event, Fetched, TargetFound
from datahound.model import Answer, Fetch, Kind, Page, Purpose, Response
from datahound.readers import Readers
from datahound.settings import CrawlSettings, Settings
from datahound.strategies import make_strategy
from datahound.web import kinds
from datahound.web.urls import join

_MAX_REDIRECTS = 10
_MOST_LINKS_REMEMBERED = 4_000_000
_REPORT_EVERY = 200


@dataclass(frozen=True, slots=True)
class Census:
    """What an exhaustive crawl of a site brings."""

    targets: int
    target_bytes: int
    target_urls: Iterable[str]
    requests: int | None = None
    """What it costs; None where the site was counted by rule, not crawled."""


class RememberedSite:
    """An archive whose pages are read once: answers without bodies, and the pages themselves.

    Memory is bounded: what does not fit is read again each time.
    """

    def __init__(self, archive: Archive, settings: Settings) -> None:
        self.archive = archive
        self.name = archive.name
        self.seed = archive.seed
        self._reader = Readers(settings.pages)
        self._targets = settings.crawl.targets or kinds.DEFAULT_TARGETS
        self._answers: dict[tuple[str, bool], Answer | None] = {}
        self._pages: dict[str, Page] = {}
        self._room = _MOST_LINKS_REMEMBERED

    def get(self, fetch: Fetch) -> Answer | None:
        key = (fetch.url, fetch.purpose is Purpose.PROBE)
        try:
            return self._answers[key]
        except KeyError:
            return self._look_up(key, fetch)

    def read(self, response: Response) -> Page | None:
        """The page of an answer that this site gave."""
        page = self._pages.get(response.url)
        return page if page is not None else self._reader.read(response)

    def put(self, fetch: Fetch, answer: Answer) -> None:  # noqa: ARG002
        raise ArchiveError(f"{self.name}: a site made ready for experiments is not recorded into")

    def __iter__(self) -> Iterator[Recorded]:
        return iter(self.archive)

    def close(self) -> None:
        self.archive.close()

    def _look_up(self, key: tuple[str, bool], fetch: Fetch) -> Answer | None:
        answer = self.archive.get(fetch)
        if self._room <= 0:
            return answer
        self._room -= 1
        if isinstance(answer, Response) and answer.body:
            answer = self._without_body(answer)
        self._answers[key] = answer
        return answer

    def _without_body(self, answer: Response) -> Response:
        page = self._reader.read(answer) if 200 <= answer.status < 300 else None
        if page is not None:
            self._pages[answer.url] = page
            self._room -= len(page.links) + len(page.declared)
        return replace(answer, body=b"", truncated=True)


class ArchiveOracle:
    """Knows the kind of every URL of a recording, and which targets can be reached."""

    def __init__(self, archive: Archive, targets: frozenset[str], reachable: Iterable[str]) -> None:
        self._archive = archive
        self._targets = targets
        self._reachable = reachable
        self._kinds: dict[str, Kind] = {}

    def kind_of(self, url: str) -> Kind:
        """What a GET of the URL leads to, redirects followed."""
        kind = self._kinds.get(url)
        if kind is None:
            kind = self._kinds[url] = self._look_up(url)
        return kind

    def targets(self) -> Iterable[str]:
        return self._reachable

    def _look_up(self, url: str) -> Kind:
        for _ in range(_MAX_REDIRECTS):
            seen = glance(self._archive, url)
            if seen is None:
                return Kind.OTHER
            if not seen.location or not 300 <= seen.status < 400:
                answer = Response(url, seen.status, {"content-type": seen.content_type})
                return kinds.kind_of(answer, self._targets)
            url = join(url, seen.location) or ""
        return Kind.OTHER


@runtime_checkable
class _ByRule(Protocol):
    """A site that knows its targets without being crawled."""

    def targets(self) -> Iterable[str]: ...


def take_census(
    site: RememberedSite, settings: CrawlSettings, progress: Callable[[int], None]
) -> Census:
    """Count the targets that can be reached: by rule where there is one, else by a full crawl."""
    if isinstance(site.archive, _ByRule):
        return _count_by_rule(site.archive, settings)
    return _count_by_crawl(site, settings, progress)


def _count_by_rule(archive: Archive, settings: CrawlSettings) -> Census:
    assert isinstance(archive, _ByRule)
    wanted = settings.targets or kinds.DEFAULT_TARGETS
    urls, size = [], 0
    for url in archive.targets():
        seen = glance(archive, url)
        answer = seen and Response(url, seen.status, {"content-type": seen.content_type})
        if seen and answer and kinds.kind_of(answer, wanted) is Kind.TARGET:
            urls.append(url)
            size += seen.size
    return Census(len(urls), size, urls)


def _count_by_crawl(
    site: RememberedSite, settings: CrawlSettings, progress: Callable[[int], None]
) -> Census:
    if site.get(Fetch(site.seed)) is None:
        raise ArchiveError(f"{site.name}: the start page {site.seed} is not recorded")
    exhaustive = CrawlSettings(targets=settings.targets, block_extensions=settings.block_extensions)
    watch = (Fetched, TargetFound)
    crawl = Crawl(site.seed, make_strategy("bfs"), settings=exhaustive, read=site.read, watch=watch)
    found: list[TargetFound] = []

    def observe(events: list[Event]) -> None:
        found.extend(event for event in events if isinstance(event, TargetFound))
        if crawl.tally.requests % _REPORT_EVERY == 0:
            progress(crawl.tally.requests)

    replay(crawl, site, observe)
    urls = [event.link.url for event in found]
    return Census(len(urls), sum(event.size for event in found), urls, crawl.tally.requests)
