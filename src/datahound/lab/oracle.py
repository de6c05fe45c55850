"""What only a recording knows: the kinds of all URLs, its targets, and the texts of its pages."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from datahound.archive import Archive, glance
from datahound.model import Fetch, Kind, Page, Response
from datahound.readers import Readers, read_text
from datahound.web.messages import is_redirect
from datahound.web.targets import Wanted, kind_of
from datahound.web.urls import join

_MAX_REDIRECTS = 10


class ArchiveOracle:
    """Answers from a recording: the kind of every URL, and the targets that can be reached."""

    def __init__(
        self,
        archive: Archive,
        wanted: Wanted,
        reachable: Iterable[str],
        pages: Mapping[str, Page] | None = None,
    ) -> None:
        self._archive = archive
        self._wanted = wanted
        self._reachable = reachable
        self._kinds: dict[str, Kind] = {}
        self._pages = pages
        self._made: dict[str, Any] = {}

    def kind_of(self, url: str) -> Kind:
        """Return the kind of what a GET of the URL ends at, redirects followed."""
        kind = self._kinds.get(url)
        if kind is None:
            kind = self._kinds[url] = self._find_kind(url)
        return kind

    def targets(self) -> Iterable[str]:
        return self._reachable

    def page_text(self, url: str) -> str:
        """Return the visible text of a page; empty for what is no page."""
        answer = self._archive.get(Fetch(url))
        return read_text(answer) if isinstance(answer, Response) else ""

    def page_urls(self) -> Sequence[str]:
        """Return the URLs of all pages."""
        return list(self._read_pages())

    def links_to_target(self, url: str) -> bool:
        """Return whether a page links to a target."""
        return any(self.kind_of(link.url) is Kind.TARGET for link in self._read_pages()[url].links)

    def make_once(self, key: str, make: Callable[[], Any]) -> Any:
        """Return what is the same for each crawl of this recording, made when first asked for."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def _read_pages(self) -> Mapping[str, Page]:
        """Read all pages, unless somebody has."""
        if self._pages is None:
            reader, found = Readers(), {}
            for recorded in self._archive:
                answer = recorded.answer
                if isinstance(answer, Response) and 200 <= answer.status < 300:
                    page = reader.read(answer)
                    if page is not None:
                        found[answer.url] = page
            self._pages = found
        return self._pages

    def _find_kind(self, url: str) -> Kind:
        for _ in range(_MAX_REDIRECTS):
            seen = glance(self._archive, url)
            if seen is None:
                return Kind.OTHER
            if not seen.location or not is_redirect(seen.status):
                answer = Response(url, seen.status, {"content-type": seen.content_type})
                return kind_of(answer, self._wanted)
            url = join(url, seen.location) or ""
        return Kind.OTHER
