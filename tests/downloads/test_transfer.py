"""Receiving a body: whole, resumed, refused and cut short, against bodies made by hand."""

import asyncio
import os
import threading
import time

import pytest

from datahound.downloads.transfer import PartialFile, TooLarge, Transfer, receive_body
from datahound.web.messages import NoAnswer

URL = "https://a.example/data.csv"


class MadeBody:
    """A body with these chunks; an exception among them is raised in its place."""

    def __init__(self, *chunks, status=200, **headers):
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.closed = False
        self._chunks = chunks

    async def chunks(self):
        for chunk in self._chunks:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk

    def close(self):
        self.closed = True


class Server:
    """Opens the bodies that it was given, in turn, and notes what was requested."""

    def __init__(self, *bodies):
        self.bodies = list(bodies)
        self.requests = []

    async def open_body(self, url, start, validator):
        self.requests.append((url, start, validator))
        return self.bodies.pop(0)


def partial(tmp_path, data=b"", **headers):
    part = PartialFile(tmp_path / "x.part", URL)
    part.begin({name.replace("_", "-"): value for name, value in headers.items()})
    if data:
        part.append(data)
    return part


def receive(part, body=None, server=None, limit=None):
    received = []
    transfer = Transfer(part, body)
    opened = (server or Server()).open_body
    try:
        asyncio.run(receive_body(transfer, opened, limit, received.append))
    finally:
        part.seal()
    return sum(received)


def test_a_whole_body(tmp_path):
    """Every chunk arrives, in order, and is counted."""
    part = partial(tmp_path, content_length="6")
    assert receive(part, MadeBody(b"abc", b"", b"def")) == 6
    assert part.path.read_bytes() == b"abcdef"


def test_a_body_that_is_shorter_or_longer_than_promised(tmp_path):
    """Both are cut short: the file is not what the server meant to send."""
    for data in (b"abc", b"abcdefg"):
        part = partial(tmp_path, content_length="6")
        with pytest.raises(NoAnswer, match=f"cut short: {len(data)} of 6 bytes"):
            receive(part, MadeBody(data))


def test_what_arrived_before_a_break_is_kept(tmp_path):
    """So that the next attempt can resume behind it."""
    part = partial(tmp_path)
    with pytest.raises(NoAnswer, match="connection lost"):
        receive(part, MadeBody(b"abc", NoAnswer("connection lost")))
    assert part.path.read_bytes() == b"abc"
    assert part.size == 3


def test_a_stop_in_the_middle_of_a_write_writes_no_byte_twice(tmp_path):
    """Else a resumed file has the right size, and some of its bytes twice."""
    part = partial(tmp_path)
    write, begun = part.append, threading.Event()

    def append(data):
        begun.set()
        time.sleep(0.2)
        write(data)

    part.append = append
    chunk = os.urandom(300_000)

    async def stop():
        transfer = Transfer(part, MadeBody(chunk, b"never"))
        task = asyncio.create_task(receive_body(transfer, Server().open_body, None, [].append))
        await asyncio.to_thread(begun.wait)
        task.cancel()
        await asyncio.wait([task])

    asyncio.run(stop())
    part.close()
    assert part.path.read_bytes() == chunk


def test_a_file_that_is_too_large(tmp_path):
    """The limit counts the bytes of earlier attempts, too."""
    part = partial(tmp_path, b"abc", etag='"1"', content_length="9")
    rest = MadeBody(b"defghi", status=206, content_range="bytes 3-8/9", etag='"1"')
    with pytest.raises(TooLarge):
        receive(part, server=Server(rest), limit=8)


def test_resuming_by_a_strong_validator(tmp_path):
    """The rest is requested with the ETag, and appended."""
    part = partial(tmp_path, b"abc", etag='"1"', content_length="6")
    server = Server(MadeBody(b"def", status=206, content_range="bytes 3-5/6", etag='"1"'))
    assert receive(part, server=server) == 3
    assert server.requests == [(URL, 3, '"1"')]
    assert part.path.read_bytes() == b"abcdef"


@pytest.mark.parametrize(
    ("headers", "request_"),
    [
        ({"etag": 'W/"1"'}, (0, "")),
        ({"etag": 'W/"1"', "last_modified": "yesterday"}, (3, "yesterday")),
        ({}, (0, "")),
        # No server would take it back.
        ({"etag": f'"{"e" * 50_000}"'}, (0, "")),
        ({"etag": f'"{"e" * 50_000}"', "last_modified": "yesterday"}, (3, "yesterday")),
    ],
)
def test_weak_validators_do_not_resume(tmp_path, headers, request_):
    """A weak ETag allows other bytes; without a validator all of the body is requested."""
    part = partial(tmp_path, b"abc", **headers)
    server = Server(MadeBody(b"whole"))
    receive(part, server=server)
    assert server.requests == [(URL, *request_)]
    assert part.path.read_bytes() == b"whole"


@pytest.mark.parametrize(
    "headers",
    [
        {"content_range": "bytes 2-5/6", "etag": '"1"'},
        {"content_range": "bytes 30-35/36", "etag": '"1"'},
        {"content_range": "bytes 3-5/6", "etag": '"2"'},
        {"content_range": "bytes 3-5/6", "etag": '"1"', "content_encoding": "gzip"},
        {},
    ],
)
def test_a_range_that_does_not_continue(tmp_path, headers):
    """Another start, another version or another encoding: all bytes so far are discarded."""
    part = partial(tmp_path, b"abc", etag='"1"')
    with pytest.raises(NoAnswer, match="can't be continued"):
        receive(part, server=Server(MadeBody(b"def", status=206, **headers)))
    assert part.size == 0


def test_a_file_that_was_complete_already(tmp_path):
    """By its promised length without a request, or by a 416 with the same total."""
    part = partial(tmp_path, b"abc", content_length="3")
    server = Server()
    assert receive(part, server=server) == 0
    assert not server.requests
    part = partial(tmp_path, b"abc", etag='"1"')
    receive(part, server=Server(MadeBody(status=416, content_range="bytes */3")))
    assert part.path.read_bytes() == b"abc"
    part = partial(tmp_path, b"abc", etag='"1"')
    with pytest.raises(NoAnswer, match="can't be continued"):
        receive(part, server=Server(MadeBody(status=416, content_range="bytes */2")))


def test_a_range_that_nobody_requested(tmp_path):
    """It is closed, and the whole body is requested."""
    part = partial(tmp_path)
    body, server = MadeBody(b"middle", status=206), Server(MadeBody(b"whole"))
    receive(part, body, server)
    assert body.closed
    assert part.path.read_bytes() == b"whole"
