"""The interface of a recorded website."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from datahound.model import Answer, Fetch, Purpose, Response


class Recorded(NamedTuple):
    """One exchange, as it was recorded."""

    fetch: Fetch
    answer: Answer


class Archive(Protocol):
    """Answers fetches from a recording; what was never recorded is None.

    A recorded GET answers a HEAD, never the reverse. The last recording of a URL wins.
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


def header_size(status: int, headers: dict[str, str]) -> int:
    """The bytes of a response's header block, as HTTP/1.1 would send it."""
    return 15 + sum(len(name) + len(value) + 4 for name, value in headers.items()) + len(str(status))


def as_head(response: Response) -> Response:
    """The answer to a HEAD, from the recorded answer to a GET."""
    return Response(
        response.url,
        response.status,
        response.headers,
        b"",
        header_size(response.status, dict(response.headers)),
        response.requests,
    )


def method_matches(asked: Fetch, recorded: Fetch) -> bool:
    """Whether a recorded exchange may answer a fetch."""
    return recorded.method == "GET" or asked.purpose is Purpose.PROBE
