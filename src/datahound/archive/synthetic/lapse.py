"""A synthetic website with a clock, as of day 0, of each week after it, and of its last day."""

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

from datahound.archive.archive import Recorded
from datahound.archive.synthetic.archive import SyntheticArchive
from datahound.archive.synthetic.clock import WEEK
from datahound.archive.synthetic.settings import parse_spec
from datahound.archive.synthetic.targets import DAY, DAY_ZERO
from datahound.model import Fetch


class SyntheticLapse:
    """As a recording over time; nothing is stored."""

    def __init__(self, spec: str) -> None:
        settings = parse_spec(spec)
        last = settings.days or 0
        days = [*range(0, last, WEEK), last]
        self._rounds = [SyntheticArchive(replace(settings, days=day)) for day in days]
        self.name, self.seed = settings.name, self._rounds[0].seed
        self.dates = [float(DAY_ZERO + DAY * day) for day in days]
        self._seen: dict[tuple[str, bytes], int] = {}

    def __len__(self) -> int:
        return len(self.dates)

    def at(self, number: int) -> SyntheticArchive:
        """The website as of a round, counted from 0."""
        return self._rounds[number]

    def version(self, url: str, number: int) -> int | None:
        """A round in which a URL has the same answer as in this one."""
        found = self.find(url, number)
        answer = found.answer if found else None
        if answer is None:
            return None
        digest = sha256(repr(answer).encode()).digest()
        return self._seen.setdefault((url, digest), number)

    def find(self, url: str, number: int) -> Recorded | None:
        """The answer of a URL in a round."""
        fetch = Fetch(url)
        answer = self._rounds[number].get(fetch)
        return Recorded(fetch, answer) if answer is not None else None

    def urls(self) -> Iterator[str]:
        """Every URL that the last round has."""
        return (found.fetch.url for found in self._rounds[-1])

    def close(self) -> None:
        """Nothing to give back."""
