"""Which pages and files can still be reached, once all pages of a round were read."""

from array import array
from collections.abc import Iterable

_NOBODY = array("I")


class LinkGraph:
    """The links among pages, files and redirects, as the pages of this round have them."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._links: dict[int, array[int]] = {}

    def note_page(self, url: str, links: Iterable[str]) -> None:
        """A page was read, with these links."""
        numbers = {self._number(link) for link in links}
        self._links[self._number(url)] = array("I", sorted(numbers))

    def note_redirect(self, url: str, destination: str) -> None:
        """A URL redirects to another one."""
        number = self._number(url)
        if number not in self._links:
            self._links[number] = array("I")
        self._links[number].append(self._number(destination))

    def has_dropped(self, page: str, url: str) -> bool:
        """Whether a page was read in this round, and has no link to a URL."""
        links = self._links.get(self._numbers.get(page, -1))
        return links is not None and self._numbers.get(url) not in links

    def find_unreached(self, seed: str, urls: Iterable[str]) -> list[str]:
        """Those of the URLs that no path of links from the seed leads to."""
        seen = {self._number(seed)}
        waiting = list(seen)
        while waiting:
            fresh = set(self._links.get(waiting.pop(), _NOBODY)) - seen
            seen |= fresh
            waiting.extend(fresh)
        return [url for url in urls if self._numbers.get(url) not in seen]

    def _number(self, url: str) -> int:
        return self._numbers.setdefault(url, len(self._numbers))
