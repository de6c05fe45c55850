"""What is new, posted to a URL: signed, once, and never to another host."""

import hashlib
import hmac
import json
import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from datahound.errors import Unreachable, UserError
from datahound.news import webhook
from datahound.news.webhook import SIGNATURE, check_webhook, post_signed

CHANGES = [{"since": 1, "url": "https://x.example/", "new": [{"url": "https://x.example/é.csv"}]}]


@contextmanager
def receiver(status=204, location=""):
    """A server on loopback, and the requests that it got."""
    got = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            got.append((self.path, dict(self.headers), body))
            self.send_response(status)
            if location:
                self.send_header("Location", location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", got
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def key_file(tmp_path):
    path = tmp_path / "key"
    path.write_bytes(b"  secret\n")
    return path


def test_the_changes_are_posted_as_json():
    with receiver() as (url, got):
        post_signed(f"{url}/hook?a=1", CHANGES, None)
    ((path, headers, body),) = got
    assert path == "/hook?a=1"
    assert headers["Content-Type"] == "application/json"
    assert json.loads(body) == {"folders": CHANGES}
    assert SIGNATURE not in headers


def test_the_signature_is_of_the_bytes_that_came(key_file):
    with receiver() as (url, got):
        post_signed(url, CHANGES, key_file)
    ((_, headers, body),) = got
    # As a receiver checks it: the key without the line break that editors add.
    expected = hmac.new(b"secret", body, hashlib.sha256).hexdigest()
    assert headers[SIGNATURE] == f"sha256={expected}"


def test_a_redirect_is_not_followed(key_file):
    with receiver() as (other, got), receiver(307, f"{other}/taken") as (url, first):
        with pytest.raises(Unreachable, match="status 307"):
            post_signed(url, CHANGES, key_file)
        assert len(first) == 1
        assert not got


@pytest.mark.parametrize("status", [400, 404, 500, 503])
def test_a_refusal_is_one_line(status):
    with receiver(status) as (url, _), pytest.raises(Unreachable, match=f"status {status}"):
        post_signed(url, CHANGES, None)


def test_a_receiver_that_is_not_there_is_one_line():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(Unreachable, match="could not be posted") as raised:
        post_signed(f"http://127.0.0.1:{port}/", CHANGES, None)
    assert "\n" not in str(raised.value)


def test_a_receiver_that_hangs_is_given_up(monkeypatch):
    monkeypatch.setattr(webhook, "_SECONDS", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(Unreachable, match="could not be posted"):
            post_signed(f"http://127.0.0.1:{silent.getsockname()[1]}/", CHANGES, None)


@pytest.mark.parametrize("rounds", [(3, 1), (2,)])
def test_who_missed_news_can_get_them_again(rounds):
    with receiver(500) as (url, _), pytest.raises(Unreachable, match=f"--since {min(rounds)}$"):
        post_signed(url, [{**CHANGES[0], "since": number} for number in rounds], None)


NO_URLS = ["ftp://x.example/", "x.example/hook", "", "file:///etc/passwd", "http://", "http://[x/"]


@pytest.mark.parametrize("url", [*NO_URLS, "https://x.example:port/"])
def test_a_url_of_another_scheme_is_refused_before_the_crawl(url):
    with pytest.raises(UserError, match="--webhook"):
        check_webhook(url, None)


def test_a_key_that_cant_be_used_is_refused_before_the_crawl(tmp_path, key_file):
    check_webhook("https://x.example/", key_file)
    with pytest.raises(UserError, match="can't be read"):
        check_webhook("https://x.example/", tmp_path / "none")
    key_file.write_bytes(b" \n")
    with pytest.raises(UserError, match="holds no key"):
        check_webhook("https://x.example/", key_file)
    with pytest.raises(UserError, match="can't be read"):
        check_webhook("https://x.example/", tmp_path)


def test_texts_that_are_no_utf_8_are_posted_all_the_same():
    with receiver() as (url, got):
        post_signed(url, [{"url": "https://x.example/\ud800"}], None)
    assert json.loads(got[0][2])["folders"][0]["url"] == "https://x.example/?"


def test_a_key_without_a_receiver_is_refused(key_file):
    """Nothing would be signed, which the user may not notice."""
    check_webhook(None, None)
    with pytest.raises(UserError, match="--webhook-key"):
        check_webhook(None, key_file)
