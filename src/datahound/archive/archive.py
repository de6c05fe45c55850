"""The interface of a recorded website."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol, overload

from datahound.model import Answer, Fetch, Response
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
    """The form under which archives file a URL."""
    # A text that is not a URL still names what was asked for; surrogates could not be stored.
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
