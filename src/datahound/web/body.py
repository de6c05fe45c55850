"""The open body of an answer: what HTTP opens and downloads read, without knowing each other."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol


class NoAnswer(Exception):
    """A server gave no answer, or not all of it."""

    def __init__(
        self, reason: str, *, again: bool = True, reached: bool = True, asked: bool = True
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.again = again
        """Whether a retry may succeed."""
        self.reached = reached
        """Whether a connection was made."""
        self.asked = asked
        """Whether a request was tried; False if a rule of ours forbids it."""


class Body(Protocol):
    """A body that is still to be read."""

    status: int
    headers: dict[str, str]

    def chunks(self) -> AsyncIterator[bytes]:
        """Its bytes in pieces; raises `NoAnswer` if the connection breaks."""
        ...

    def close(self) -> None: ...


OpenBody = Callable[[str, int, str], Awaitable[Body]]
"""Opens the body of a URL again, from a byte on if its validator still holds."""
