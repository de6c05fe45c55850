"""An S3 server on loopback that can be made to fail and to be slow."""

import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from contextlib import contextmanager

import pytest


class BadDay:
    """A WSGI application in front of the server: every n-th request gets a 500, or waits."""

    def __init__(self, app: Callable) -> None:
        self._app = app
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self.fail_every = 0
        self.wait_every = 0
        self.requests = 0
        self.failures = 0

    def __call__(self, environ, start_response):
        with self._lock:
            self.requests += 1
            fails = self.fail_every and self.requests % self.fail_every == 0
            self.failures += bool(fails)
        if self.wait_every and self.requests % self.wait_every == 0:
            time.sleep(0.3)
        if fails:
            # The body must be read, or the connection breaks before the answer is seen.
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start_response("500 Internal Server Error", [("Content-Length", "0")])
            return [b""]
        if environ["REQUEST_METHOD"] == "GET":
            return self._app(environ, start_response)
        with self._writing:  # moto compares and writes in two steps; S3 does it in one
            return self._app(environ, start_response)


@contextmanager
def serve_bucket():
    """Serve object storage with one empty bucket; its endpoint, and its manners."""
    from moto.moto_server import werkzeug_app
    from werkzeug.serving import make_server

    day = BadDay(werkzeug_app.DomainDispatcherApplication(werkzeug_app.create_backend_app))
    server = make_server("127.0.0.1", 0, day, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    endpoint = f"http://127.0.0.1:{server.port}"
    request = urllib.request.Request(f"{endpoint}/bucket", method="PUT")
    urllib.request.urlopen(request).close()
    yield endpoint, day
    server.shutdown()
    server.server_close()


def serve_until_closed(fail_every: int, wait_every: int) -> None:
    """Serve in a process of its own, until its input is closed; prints the endpoint."""
    with serve_bucket() as (endpoint, day):
        print(endpoint, flush=True)
        day.fail_every, day.wait_every = fail_every, wait_every
        sys.stdin.read()


@pytest.fixture(scope="session")
def s3_server():
    pytest.importorskip("moto.moto_server.werkzeug_app")
    pytest.importorskip("obstore")
    with serve_bucket() as served:
        yield served


@pytest.fixture
def bucket(s3_server, monkeypatch, request):
    """A place in object storage, and the server's manners."""
    endpoint, day = s3_server
    for name, value in {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    yield f"s3://bucket/{request.node.name.replace('[', '-').rstrip(']')}", day
    day.fail_every = day.wait_every = 0
