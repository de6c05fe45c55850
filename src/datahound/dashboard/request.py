"""What somebody asks of a page: a crawl, and parameters that are read with care."""

from collections.abc import Mapping
from dataclasses import dataclass

from datahound.dashboard.crawls import Crawl

_LONGEST = 4000
_LARGEST = 1 << 53


@dataclass(frozen=True, slots=True)
class Asked:
    """One request for a page of a crawl."""

    crawl: Crawl
    query: Mapping[str, str]
    part: int = 0
    """The number in the address, where there is one."""

    def text(self, name: str) -> str:
        return self.query.get(name, "")[:_LONGEST].strip()

    def number(self, name: str) -> int | None:
        """A whole number, None if it is none."""
        given = self.query.get(name, "")
        if not (given.isascii() and given.isdigit() and len(given) < 17):
            return None
        return min(int(given), _LARGEST)
