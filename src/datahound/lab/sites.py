"""A recorded site made ready for experiments: pages read once, and an oracle that knows it."""

from collections.abc import Callable, Iterable, Iterator

from datahound.archive.archive import Archive, Recorded
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import replay
from datahound.errors import ArchiveError
from datahound.events import Event, TargetFound, Visited
from datahound.model import Answer, Fetch, Kind, Page, Purpose, Response
from datahound.settings import CrawlSettings, Settings
from datahound.strategies import make_strategy
from datahound.web import kinds
from datahound.web.pages import PageReader
from datahound.web.urls import join

_MAX_REDIRECTS = 10


class RememberedSite:
    """An archive whose pages are read once: answers without bodies, and the pages themselves."""

    def __init__(self, archive: Archive, settings: Settings) -> None:
        self.name = archive.name
        self.seed = archive.seed
        self._archive = archive
        self._reader = PageReader(settings.pages)
        self._targets = settings.crawl.targets or kinds.DEFAULT_TARGETS
        self._answers: dict[tuple[str, bool], Answer | None] = {}
        self._pages: dict[str, Page] = {}

    def get(self, fetch: Fetch) -> Answer | None:
        key = (fetch.url, fetch.purpose is Purpose.PROBE)
        try:
            return self._answers[key]
        except KeyError:
            answer = self._answers[key] = self._remember(self._archive.get(fetch))
            return answer

    def read(self, response: Response) -> Page:
        """The page of an answer that this site gave."""
        return self._pages[response.url]

    def put(self, fetch: Fetch, answer: Answer) -> None:
        raise ArchiveError(f"{self.name}: a site made ready for experiments is not recorded into")

    def __iter__(self) -> Iterator[Recorded]:
        return iter(self._archive)

    def close(self) -> None:
        self._archive.close()

    def _remember(self, answer: Answer | None) -> Answer | None:
        if not isinstance(answer, Response) or not answer.body:
            return answer
        if kinds.kind_of(answer, self._targets) is Kind.HTML:
            self._pages[answer.url] = self._reader.read(answer)
        return Response(
            answer.url, answer.status, answer.headers, b"", answer.size, answer.requests, True
        )


class ArchiveOracle:
    """Knows the kind of every URL of a recording, and which targets can be reached."""

    def __init__(self, archive: Archive, targets: frozenset[str], reachable: Iterable[str]) -> None:
        self._archive = archive
        self._targets = targets
        self._reachable = reachable
        self._kinds: dict[str, Kind] = {}

    def kind_of(self, url: str) -> Kind:
        kind = self._kinds.get(url)
        if kind is None:
            kind = self._kinds[url] = self._look_up(url)
        return kind

    def targets(self) -> Iterable[str]:
        return self._reachable

    def _look_up(self, url: str) -> Kind:
        for _ in range(_MAX_REDIRECTS):
            answer = self._archive.get(Fetch(url, Purpose.PROBE))
            if not isinstance(answer, Response):
                return Kind.OTHER
            location = answer.headers.get("location")
            if not (300 <= answer.status < 400 and location):
                return kinds.kind_of(answer, self._targets)
            url = join(url, location) or ""
        return Kind.OTHER


def reachable_targets(
    site: RememberedSite, settings: CrawlSettings, progress: Callable[[int], None] | None = None
) -> list[TargetFound]:
    """All targets that an exhaustive crawl finds, in the order of a breadth-first one."""
    exhaustive = CrawlSettings(targets=settings.targets, block_extensions=settings.block_extensions)
    watch = (TargetFound, Visited)
    crawl = Crawl(site.seed, make_strategy("bfs"), settings=exhaustive, read=site.read, watch=watch)
    found: list[TargetFound] = []

    def observe(events: list[Event]) -> None:
        found.extend(event for event in events if isinstance(event, TargetFound))
        if progress:
            progress(crawl.tally.requests)

    replay(crawl, site, observe)
    return found


