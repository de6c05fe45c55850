"""URLs whose names say a type that nobody asked for: they wait until nothing else is left.

Names lie now and then: a `.pdf` may be a page with the tables. So a few URLs of each extension are
tried at the very end, and more of them while that pays.
"""

from dataclasses import astuple

from datahound.crawl.strategy import State
from datahound.model import Link
from datahound.web.urls import extension_of

_TRIALS = 3
"""URLs of an extension that are tried."""
_MORE = 10
"""URLs that are tried on top of these for each that brought a file."""
_MOST_WAITING = 20_000


class UnwantedNames:
    """Which of these URLs wait, and how often each extension was tried."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[Link]] = {}
        """By extension, in the order of meeting."""
        self._count = 0
        self._left: dict[str, int] = {}
        """By extension, how many more may be tried."""

    def add(self, link: Link) -> None:
        """Let a link wait; with too many of them, it is dropped."""
        if self._count < _MOST_WAITING:
            self._count += 1
            self._waiting.setdefault(extension_of(link.url), []).append(link)

    def take(self) -> Link | None:
        """A link to be tried, where nothing else is left."""
        for extension, links in self._waiting.items():
            left = self._left.setdefault(extension, _TRIALS)
            if left and links:
                self._left[extension] = left - 1
                self._count -= 1
                # First and last in turn: links that were met together are often of one kind.
                return links.pop(0 if left % 2 else -1)
        return None

    def learn(self, link: Link, *, paid: bool) -> None:
        """A link was visited, and its page had files, or it was one."""
        extension = extension_of(link.url)
        if paid and extension in self._left:
            self._left[extension] += _MORE

    def snapshot(self) -> State:
        return {
            "waiting": [astuple(link) for links in self._waiting.values() for link in links],
            "left": self._left,
        }

    def restore(self, state: State) -> None:
        self._waiting, self._count = {}, 0
        for row in state["waiting"]:
            self.add(Link(*row))
        self._left = dict(state["left"])
