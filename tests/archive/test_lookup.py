"""Glances: what is known of a URL without its body, in archives that index it and that do not."""

from datahound.archive import MemoryArchive, Recorded, glance
from datahound.archive.archive import Glancing
from datahound.model import Failure, Fetch, Postponed, Purpose, Response

SEED = "https://site.example/"
MOVED = Response(SEED + "a", 301, {"location": "/b", "content-type": "text/html"}, b"x", 9)
EXCHANGES = [
    Recorded(Fetch(SEED), Response(SEED, 200, {"content-type": "text/html"}, b"old", 3)),
    Recorded(Fetch(SEED + "a"), MOVED),
    Recorded(Fetch(SEED + "f"), Failure(SEED + "f", "timeout")),
    Recorded(Fetch(SEED + "p"), Postponed(SEED + "p")),
    Recorded(Fetch(SEED + "h", Purpose.PROBE), Response(SEED + "h", 200, {}, b"", 30)),
    Recorded(Fetch(SEED), Response(SEED, 404, {}, b"", 0)),
]
EXPECTED = [
    (SEED, 404, "", 0, ""),
    (SEED + "a", 301, "text/html", 9, "/b"),
    (SEED + "f", 0, "", 0, ""),
    (SEED + "p", 0, "", 0, ""),
]


class Plain:
    """An archive without glances of its own."""

    name = seed = SEED

    def __init__(self):
        self._memory = MemoryArchive(SEED, EXCHANGES)
        self.get, self.put, self.close = self._memory.get, self._memory.put, self._memory.close

    def __iter__(self):
        return iter(self._memory)


def test_both_kinds_of_archives_say_the_same():
    """The last GET of each URL counts, in the order of the first; a HEAD is not a recording."""
    memory, plain = MemoryArchive(SEED, EXCHANGES), Plain()
    assert isinstance(memory, Glancing)
    assert not isinstance(plain, Glancing)
    for archive in (memory, plain):
        assert [glance(archive, seen[0]) for seen in EXPECTED] == EXPECTED
        assert glance(archive, SEED + "h") is None
        assert glance(archive, SEED + "never") is None


def test_urls_are_canonical():
    archive = MemoryArchive(SEED, EXCHANGES)
    assert glance(archive, "HTTPS://Site.Example:443/a") == EXPECTED[1]
