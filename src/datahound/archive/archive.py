"""The interface of a recorded website, a quick look at its answers, and one kept in memory."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol, overload, runtime_checkable

from datahound.model import Answer, Fetch, Response, name_query, split_query
from datahound.web.messages import header_size
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


def key(url: str) -> str:
    """The form of a URL that archives look it up by."""
    address, query = split_query(url)
    if query and (posted_to := canonical(address)):
        return name_query(posted_to, query)
    # A text that is not a URL still names the request; surrogates could not be stored.
    return canonical(url) or url.encode("utf-8", "backslashreplace").decode()


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


def glance(archive: Archive, url: str) -> Glance | None:
    """What a GET of the URL would bring, at the least cost that the archive allows."""
    if isinstance(archive, Glancing):
        return archive.glance(url)
    answer = archive.get(Fetch(url))
    return None if answer is None else glance_at(url, answer)


def glance_at(url: str, answer: Answer) -> Glance:
    """The short form of an answer."""
    if not isinstance(answer, Response):
        return Glance(key(url), 0, "", 0, "")
    content_type = answer.headers.get("content-type", "")
    location = answer.headers.get("location", "")
    return Glance(key(url), answer.status, content_type, answer.size, location)


class MemoryArchive:
    """Keeps every exchange in a list and the last one of each URL at hand."""

    def __init__(self, seed: str, recorded: Iterable[Recorded] = (), name: str = "memory") -> None:
        self.seed = seed
        self.name = name
        self._recorded: list[Recorded] = []
        self._last: dict[tuple[str, str], Answer] = {}
        for fetch, answer in recorded:
            self.put(fetch, answer)

    def get(self, fetch: Fetch) -> Answer | None:
        url = key(fetch.url)
        if fetch.method != "HEAD":
            return self._last.get((url, fetch.method))
        # A server may answer a HEAD in another way than a GET: what it really said comes first.
        probed = self._last.get((url, "HEAD"))
        if probed is not None:
            return probed
        answer = self._last.get((url, "GET"))
        return None if answer is None else as_head(answer)

    def put(self, fetch: Fetch, answer: Answer) -> None:
        self._recorded.append(Recorded(fetch, answer))
        self._last[key(fetch.url), fetch.method] = answer

    def glance(self, url: str) -> Glance | None:
        answer = self._last.get((key(url), "GET"))
        return None if answer is None else glance_at(url, answer)

    def __iter__(self) -> Iterator[Recorded]:
        return iter(tuple(self._recorded))

    def close(self) -> None:
        """Nothing to close."""
