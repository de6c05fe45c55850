"""A website on loopback that changes, with validators: honest ones, or others."""

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class ChangingSite:
    """Bodies by path; `requests` has what was asked for, and with which conditions."""

    def __init__(self, bodies: dict[str, bytes]) -> None:
        self.bodies = bodies
        self.requests: list[tuple[str, bool, int]] = []
        self.make_tag: Callable[[bytes], str] | None = make_tag
        """None for no ETag, and a Last-Modified that is always now."""
        self.soft_404 = False
        self.statuses: dict[str, int] = {}
        """Paths that are answered with an error, or with nothing there."""
        self.status = 0
        """The same for all paths."""
        self.redirects: dict[str, str] = {}
        self.url = ""
        self.stop = lambda: None
        """Close the server before the end of the block."""

    def asked(self, path: str) -> list[int]:
        """The statuses that a path was answered with."""
        return [status for asked, _, status in self.requests if asked == path]


def make_tag(body: bytes) -> str:
    """A tag that tells the truth."""
    return hashlib.sha256(body).hexdigest()[:12]


@contextmanager
def serve_site(site: ChangingSite) -> Iterator[ChangingSite]:
    """Serve a site until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = site.bodies.get(self.path)
            condition = self.headers.get("If-None-Match")
            status, kind = 200, "text/csv"
            if body is None and self.path == "/robots.txt":
                status, kind, body = 404, "text/plain", b""
            elif body is None:
                status, kind, body = (
                    (200 if site.soft_404 else 404),
                    "text/html",
                    b"<!doctype html><html><p>not here",
                )
            elif body.startswith(b"<"):
                kind = "text/html"
            if error := site.status or site.statuses.get(self.path, 0):
                status, kind, body = error, "text/html", b"<html>not now"
            elif self.path in site.redirects:
                status, kind, body = 302, "text/html", b""
            tag = f'"{site.make_tag(body)}"' if site.make_tag else ""
            if self.path == "/robots.txt" and status == 200:
                kind = "text/plain"
            if status == 200 and condition == tag and kind == "text/csv":
                status, body = 304, b""
            site.requests.append((self.path, condition is not None, status))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            if status == 302:
                self.send_header("Location", site.redirects[self.path])
            if tag:
                self.send_header("ETag", tag)
            else:
                self.send_header("Last-Modified", self.date_time_string())
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    site.url = f"http://127.0.0.1:{server.server_port}/"

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    site.stop = stop
    try:
        yield site
    finally:
        stop()


def page(*links: str) -> bytes:
    """A page that links to these."""
    return b"<html><ul>" + b"".join(b'<li><a href="%b">x</a>' % u.encode() for u in links)
