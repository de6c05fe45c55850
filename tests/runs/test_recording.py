"""Recording keeps the bodies of files only up to a limit, and only until they are written."""

import asyncio

import pytest

from datahound.runs.recording import HeldBodies
from datahound.web.messages import NoAnswer

URL = "https://a.example/x.csv"


class Stream:
    """A body that comes in pieces, and breaks off where it is told to."""

    def __init__(self, *pieces, breaks=False):
        self._pieces, self._breaks = pieces, breaks
        self.closed = False

    async def chunks(self):
        for piece in self._pieces:
            yield piece
        if self._breaks:
            raise NoAnswer("cut")

    def close(self):
        self.closed = True


@pytest.mark.parametrize(
    ("stream", "body", "whole"),
    [
        (Stream(b"abc", b"def"), b"abcdef", True),
        (Stream(), b"", True),
        (Stream(b"a" * 10), b"a" * 10, True),
        (Stream(b"a" * 8, b"b" * 8), b"a" * 8 + b"b" * 2, False),
        (Stream(b"abc", breaks=True), b"abc", False),
    ],
    ids=["whole", "empty", "exactly the limit", "too large", "cut short"],
)
def test_a_body_is_held_with_whether_it_is_whole(stream, body, whole):
    """A recording that called a part of a file the whole would replay it as such."""
    held = HeldBodies(10)
    asyncio.run(held.take(URL, {}, stream))
    assert stream.closed
    assert held.give(URL) == (body, whole)
    assert held.give(URL) is None
