"""Who gets which headers: the user's own go to the seed's hosts and port only."""

import pytest

from datahound.errors import UserError
from datahound.http.request_headers import Identity, check_connect_to
from datahound.model import Purpose
from datahound.settings import WebSettings

SECRET = {"authorization": "Bearer x"}


def identity(seed="https://www.a.example/", **settings):
    return Identity(seed, WebSettings(**settings))


@pytest.mark.parametrize(
    ("seed", "url", "sent"),
    [
        ("https://www.a.example/", "https://www.a.example/x", True),
        ("https://www.a.example/", "https://data.a.example/x", True),
        ("https://www.a.example/", "https://b.example/x", False),
        ("https://www.a.example/", "https://www.a.example.b.example/", False),
        ("https://www.a.example/", "https://www.a.example:8443/", False),
        ("https://www.a.example/", "http://www.a.example/", False),
        ("http://www.a.example/", "https://www.a.example/", True),
    ],
)
def test_where_the_users_headers_go(seed, url, sent):
    """Not to another host or port, and not in the clear if the seed was encrypted."""
    headers = identity(seed, headers=SECRET).headers_for(url, Purpose.VISIT)
    assert ("Authorization" in headers) is sent


def test_the_users_header_replaces_ours_whatever_its_case():
    headers = identity(headers={"accept": "text/csv"}).headers_for("https://www.a.example/")
    assert headers["Accept"] == "text/csv"
    assert [name for name in headers if name.lower() == "accept"] == ["Accept"]


@pytest.mark.parametrize(
    ("purpose", "encoded"),
    [(None, True), (Purpose.VISIT, True), (Purpose.COLLECT, False), (Purpose.PROBE, False)],
)
def test_files_are_asked_for_without_an_encoding(purpose, encoded):
    """A range of encoded bytes could not be continued after a break."""
    headers = identity().headers_for("https://www.a.example/x", purpose)
    assert (headers["Accept-Encoding"] != "identity") is encoded


@pytest.mark.parametrize("name", ["Host", "range", "Content-Length", "Connection"])
def test_headers_that_the_client_makes_are_not_the_users(name):
    with pytest.raises(UserError, match="Datahound sets it itself"):
        identity(headers={name: "x"})


@pytest.mark.parametrize(("name", "value"), [("a b", "x"), ("", "x"), ("X", "a\r\nY: b")])
def test_a_header_that_would_break_the_request_is_refused(name, value):
    """A line break in a value would begin another header."""
    with pytest.raises(UserError, match="can't be sent"):
        identity(headers={name: value})


def test_the_user_agent_has_the_contact():
    agent = identity(user_agent="Own/1", contact="me@a.example").user_agent
    assert agent == "Own/1 (+me@a.example)"
    assert identity().user_agent.startswith("Datahound/")
    with pytest.raises(UserError, match="one line"):
        identity(contact="a\nb")


@pytest.mark.parametrize("address", ["127.0.0.1:80", "localhost:8000", "[::1]:80", None])
def test_requests_may_be_sent_to_this_machine(address):
    check_connect_to(address)


@pytest.mark.parametrize("address", ["10.0.0.1:80", "a.example:80", "127.0.0.1", "localhost:x"])
def test_and_to_no_other(address):
    with pytest.raises(UserError, match="loopback"):
        check_connect_to(address)
