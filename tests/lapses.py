"""Small recordings over time, made for tests: a website as a dictionary per round."""

from collections.abc import Mapping, Sequence
from hashlib import sha1
from pathlib import Path

from datahound.archive.warc.records import write_record

SEED = "https://site.example/"
_DAY = 10


def page(*links: str) -> bytes:
    """A page that links to these."""
    anchors = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    return f"<html><body><ul>{anchors}</ul></body></html>".encode()


def write_lapse(path: Path, rounds: Sequence[Mapping[str, bytes]]) -> Path:
    """Write rounds of bodies by path: pages, files (a comma in the body) and redirects (->)."""
    before: Mapping[str, bytes] = {}
    with path.open("wb") as file:
        for number, site in enumerate(rounds):
            date = f"2020-01-{number + _DAY:02}T00:00:00Z"
            for name, body in site.items():
                if before.get(name) != body:
                    file.write(_record(name, date, body))
            for name in before.keys() - site.keys():
                file.write(_record(name, date, None))
            before = site
    return path


def _record(name: str, date: str, body: bytes | None) -> bytes:
    if body is None:
        head = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n"
        body = b""
    elif body.startswith(b"->"):
        head = b"HTTP/1.1 301 Moved\r\nLocation: " + body[2:] + b"\r\n\r\n"
        body = b""
    else:
        kind = b"text/html" if body.startswith(b"<") else b"text/csv"
        tag = sha1(body, usedforsecurity=False).hexdigest().encode()
        head = b'HTTP/1.1 200 OK\r\nContent-Type: %b\r\nETag: "%b"\r\n\r\n' % (kind, tag)
    fields = {
        "WARC-Type": "response",
        "WARC-Date": date,
        "WARC-Target-URI": SEED.rstrip("/") + name,
        "Content-Type": "application/http; msgtype=response",
    }
    return write_record(fields, head + body)


def make_growing_site(rounds: int = 4) -> list[dict[str, bytes]]:
    """A site with an index that gains a file in each round, and twenty pages that never change."""
    made = []
    for number in range(rounds):
        files = {f"/data/f{n}.csv": b"a,%d" % n for n in range(number + 3)}
        quiet = {f"/text/p{n}.html": page() for n in range(20)}
        news = {f"/news/n{n}.html": page(f"/news/n{n}.csv") for n in range(number)}
        attached = {f"/news/n{n}.csv": b"b,%d" % n for n in range(number)}
        made.append(
            {
                "/": page("/data/index.html", "/news/index.html", *quiet),
                "/data/index.html": page(*files),
                "/news/index.html": page(*news),
                **quiet,
                **files,
                **news,
                **attached,
            }
        )
    return made
