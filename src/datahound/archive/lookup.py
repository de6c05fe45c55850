"""What is known of a recorded URL without reading its body."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol, runtime_checkable

from datahound.archive.archive import Archive, key
from datahound.model import Answer, Fetch, Response


class Glance(NamedTuple):
    """What is known of a recorded URL without reading its body; status 0 where it failed."""

    url: str
    status: int
    content_type: str
    size: int
    location: str


@runtime_checkable
class Glancing(Protocol):
    """An archive that can say what a URL is without reading its body."""

    def glance(self, url: str) -> Glance | None: ...

    def glances(self) -> Iterator[Glance]: ...


def glance(archive: Archive, url: str) -> Glance | None:
    """What a GET of the URL would bring, at the least cost that the archive allows."""
    if isinstance(archive, Glancing):
        return archive.glance(url)
    answer = archive.get(Fetch(url))
    return None if answer is None else glance_at(url, answer)


def glances(archive: Archive) -> Iterator[Glance]:
    """Every URL that was recorded with a GET, once, as its last recording has it."""
    if isinstance(archive, Glancing):
        return archive.glances()
    last = {key(r.fetch.url): r.answer for r in archive if r.fetch.method == "GET"}
    return (glance_at(url, answer) for url, answer in last.items())


def glance_at(url: str, answer: Answer) -> Glance:
    """The short form of an answer."""
    if not isinstance(answer, Response):
        return Glance(key(url), 0, "", 0, "")
    content_type = answer.headers.get("content-type", "")
    location = answer.headers.get("location", "")
    return Glance(key(url), answer.status, content_type, answer.size, location)
