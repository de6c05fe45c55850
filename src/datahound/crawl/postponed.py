"""Links that are postponed: their host must rest, or the page was probably read by another name."""

from array import array
from collections import deque
from collections.abc import Mapping
from dataclasses import replace

from datahound.crawl.strategy import State
from datahound.model import Choice, Link

_TRY_EVERY = 10
_NO_CHOICE, _NO_GROUP = -2, -1


class PostponedLinks:
    """First postponed, first tried again; with the choice that led to a link, if there was one."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Link, Choice | None]] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def are_due(self, visits: int) -> bool:
        """Whether one of them is to be tried again, after this number of visits."""
        return bool(self._waiting) and visits % _TRY_EVERY == 0

    def add(self, link: Link, choice: Choice | None = None) -> None:
        self._waiting.append((link, choice))

    def take(self) -> tuple[Link, Choice | None]:
        return self._waiting.popleft()

    def links(self) -> list[Link]:
        return [link for link, _ in self._waiting]

    def snapshot(self) -> State:
        # A redirect may have changed a link's URL since it was discovered under its number.
        return {
            "links": array("q", [link.number for link, _ in self._waiting]),
            "urls": [link.url for link, _ in self._waiting],
            "groups": array("q", [_group(choice) for _, choice in self._waiting]),
        }

    def restore(self, state: State, links: Mapping[int, Link]) -> None:
        rows = zip(state["links"], state["urls"], state["groups"], strict=True)
        for number, url, group in rows:
            link = links[number]
            chosen = Choice(link, None if group == _NO_GROUP else group)
            self.add(replace(link, url=url), None if group == _NO_CHOICE else chosen)


def _group(choice: Choice | None) -> int:
    if choice is None:
        return _NO_CHOICE
    return _NO_GROUP if choice.group is None else choice.group
