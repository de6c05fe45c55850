"""The interface of a recorded website."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol, overload, runtime_checkable

from datahound.model import Answer, Fetch, Response
from datahound.web.urls import canonical


class Recorded(NamedTuple):
    """One exchange, as it was recorded."""

    fetch: Fetch
    answer: Answer


class Archive(Protocol):
    """Answers fetches from a recording; what was never recorded is None.

    A recorded GET answers a HEAD, never the reverse; a HEAD that was recorded as such is preferred
    for a HEAD. The last recording wins. Bodies are decoded (no chunks, no gzip), headers and sizes
    are what the server sent.
    """

    @property
    def name(self) -> str:
        """What people call this site, short enough for a table."""
        ...

    @property
    def seed(self) -> str:
        """The start page."""
        ...

    def get(self, fetch: Fetch) -> Answer | None: ...

    def put(self, fetch: Fetch, answer: Answer) -> None: ...

    def __iter__(self) -> Iterator[Recorded]:
        """All exchanges in recording order."""
        ...

    def close(self) -> None: ...


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


def key(url: str) -> str:
    """The form under which archives file a URL."""
    return canonical(url) or url.encode("utf-8", "backslashreplace").decode()


def header_size(status: int, headers: Mapping[str, str]) -> int:
    """The bytes of a response's header block, as HTTP/1.1 would send it."""
    return (
        15 + sum(len(name) + len(value) + 4 for name, value in headers.items()) + len(str(status))
    )


@overload
def as_head(answer: Response) -> Response: ...
@overload
def as_head(answer: Answer) -> Answer: ...
def as_head(answer: Answer) -> Answer:
    """The answer to a HEAD, from the recorded answer to a GET."""
    if not isinstance(answer, Response):
        return answer
    size = header_size(answer.status, answer.headers)
    return Response(answer.url, answer.status, answer.headers, b"", size, answer.requests)
