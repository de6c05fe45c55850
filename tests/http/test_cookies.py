"""Cookies of the user, from a file."""

import asyncio

import pytest
from websites import SEED, Website, data, error, page, send_response

from datahound.errors import UserError
from datahound.http.cookies import parse_cookies, read_cookie_lines
from datahound.runs.options import make_options
from datahound.runs.run import Run

LINE = ".site.example\tTRUE\t/\tFALSE\t0\tsession\tsecret-1"


def test_a_file_is_read(tmp_path):
    """Comments and blank lines are left out; a line of `HttpOnly` is none."""
    path = tmp_path / "cookies.txt"
    path.write_text(f"# Netscape HTTP Cookie File\n\n{LINE}\n#HttpOnly_{LINE}\n")
    cookies = list(parse_cookies(read_cookie_lines(path)))
    assert len(cookies) == 2
    assert cookies[0].url == "http://site.example/"
    assert cookies[0].header == "session=secret-1; Path=/; Domain=site.example"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "no cookie in it"),
        (b"# only a comment\n", "no cookie in it"),
        (b"name=secret-1\n", "line 1 is not a cookie"),
        (LINE.replace("\t0\t", "\tsoon\t").encode(), "line 1 is not a cookie"),
        (LINE.replace("site.example", "co.uk").encode(), "line 1 is not a cookie"),
        (b"\xff\xfe\x00", "not a text file"),
    ],
)
def test_nonsense_is_one_line_without_secrets(tmp_path, text, message):
    path = tmp_path / "cookies.txt"
    path.write_bytes(text)
    with pytest.raises(UserError, match=message) as raised:
        read_cookie_lines(path)
    assert "secret" not in str(raised.value)
    with pytest.raises(UserError, match="can't be read"):
        read_cookie_lines(tmp_path / "none.txt")


def test_they_are_sent_to_their_host_alone_and_kept_nowhere(tmp_path):
    """A site behind a login gives its file; another host gets no cookie."""

    async def behind_login(exchange):
        inside = "session=secret-1" in exchange.headers.get("cookie", "")
        await send_response(exchange, data(b"a,b\n") if inside else error(403))

    site = Website(
        {
            "/": page("/in.csv", "http://static.example.net/x.csv"),
            "/in.csv": behind_login,
            "static.example.net/x.csv": data(b"c,d\n"),
        }
    )
    cookies = tmp_path / "cookies.txt"
    cookies.write_text(LINE + "\n")
    folder = tmp_path / "crawl"

    async def run():
        async with site.served() as address:
            given = {"output": str(folder), "delay": 0, "connect-to": address}
            given |= {"cookies": str(cookies), "linked-files": True}
            return await Run(make_options(SEED, given)).go()

    asyncio.run(run())
    assert sorted(path.name for path in folder.rglob("*.csv")) == [
        "datasets.csv",
        "in.csv",
        "x.csv",
    ]
    strangers = [exchange for exchange in site.asked if exchange.host == "static.example.net"]
    assert strangers
    assert not any("cookie" in exchange.headers for exchange in strangers)
    for path in folder.rglob("*"):
        assert not path.is_file() or b"secret-1" not in path.read_bytes()
