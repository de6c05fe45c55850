"""A page whose links are being looked at."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from datahound.crawl.strategy import Visit
from datahound.events import Visited
from datahound.model import Choice, Link, Page


@dataclass(slots=True)
class Reading:
    """A page being read for a choice: the links still to be looked at, and what it has brought."""

    choice: Choice
    page: Page
    rest: Iterator[Link] = field(init=False)
    new_links: list[Link] = field(default_factory=list)
    reward: int = 0
    foreseen: int = 0
    """Files that were collected before the pages that its links lead to."""

    def __post_init__(self) -> None:
        self.rest = iter(self.page.links)

    def visit(self) -> Visit:
        """What a strategy learns from it."""
        return Visit(self.page.links, self.new_links, self.reward + self.foreseen)

    def visited(self, requests: int) -> Visited:
        """What is told of it."""
        reward, new_links = self.reward + self.foreseen, len(self.new_links) + self.foreseen
        return Visited(requests, self.choice, reward, new_links, self.page.title)
