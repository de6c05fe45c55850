"""A recorded site over loopback HTTP."""

import asyncio
import shutil
import signal
import subprocess
import sys
import tracemalloc

import aiohttp
import pytest

from datahound.archive import MemoryArchive, Recorded
from datahound.archive.server import serve_archive
from datahound.errors import UserError
from datahound.model import Failure, Fetch, Purpose, Response

SEED = "https://www.site.example/"
OTHER = "http://data.site.example/"
HTML = {"content-type": "text/html; charset=iso-8859-1"}
PAGE = (
    '<html><head><base href="/dir/"></head><body><a href="a.html?x=1&amp;y=2#top">é</a>'
    '<a href="http://data.site.example/f.csv">f</a><a href="https://elsewhere.example/">e</a>'
    '<a href="#here">h</a><a href="mailto:a@b.c">m</a><img src=/i.png><form action="/s"></form>'
)


def answer(url, body=b"", status=200, headers=None, **more):
    headers = headers or {}
    return Recorded(Fetch(url), Response(url, status, headers, body, len(body), **more))


def site():
    big = Response(
        SEED + "big", 200, {"content-type": "application/zip"}, b"PK", 1 << 30, truncated=True
    )
    return MemoryArchive(
        SEED,
        [
            answer(SEED, PAGE.encode("latin-1"), headers=HTML),
            answer(OTHER + "f.csv", b"a,b", headers={"content-type": "text/csv", "x-a": "ü"}),
            answer(SEED + "moved?q=1", status=301, headers={"location": OTHER + "f.csv"}),
            answer("http://www.site.example/", status=301, headers={"location": SEED}),
            answer(
                SEED + "packed",
                b"unpacked",
                headers={
                    "content-encoding": "gzip",
                    "content-length": "3",
                    "transfer-encoding": "chunked",
                    "connection": "close",
                    "bad\r\nname": "x",
                    "bad-value": "a\r\nb",
                },
            ),
            Recorded(Fetch(SEED + "big"), big),
            Recorded(Fetch(SEED + "down"), Failure(SEED + "down", "no answer")),
            answer(SEED + "nothing", b"ignored", 204),
            answer(SEED + "claims", headers={"content-length": "99"}),
            Recorded(
                Fetch(SEED + "probed", Purpose.PROBE),
                Response(SEED + "probed", 200, {"content-length": "77"}, b"", 30),
            ),
            Recorded(Fetch(SEED + "refused"), Response(SEED + "refused", 200, {}, b"ok", 2)),
            Recorded(Fetch(SEED + "refused", Purpose.PROBE), Response(SEED + "refused", 405)),
        ],
    )


def talk(conversation, *, rewrite=False):
    async def run():
        async with (
            serve_archive(site(), rewrite=rewrite) as served,
            aiohttp.ClientSession(auto_decompress=False) as client,
        ):
            return await conversation(served, client)

    return asyncio.run(run())


def ask(path, host="www.site.example", method="GET", *, rewrite=False):
    """Status, headers and body of one answer."""

    async def conversation(served, client):
        request = client.request(
            method, served.address + path, headers={"Host": host}, allow_redirects=False
        )
        async with request as response:
            return response.status, response.headers, await response.read()

    return talk(conversation, rewrite=rewrite)


def test_every_host_answers_by_its_name():
    """The Host header says which recorded host is meant, whatever its scheme, case or port was."""
    assert ask("/")[2] == PAGE.encode("latin-1")
    assert ask("/f.csv", "DATA.site.example")[2] == b"a,b"
    assert ask("/f.csv", "data.site.example:8080")[2] == b"a,b"
    assert ask("/f.csv")[0] == 404
    assert ask("/", "unknown.example")[0] == 404


def test_the_local_address_is_the_start_page():
    """Without a recorded host's name, the seed's host answers."""

    async def conversation(served, client):
        async with client.get(served.address + "/") as response:
            return await response.read(), served.start

    assert talk(conversation) == (PAGE.encode("latin-1"), SEED)


def test_it_is_a_proxy_too():
    """A crawler that is given the address as its HTTP proxy reaches every host by its URL."""

    async def conversation(served, client):
        async with client.get(OTHER + "f.csv", proxy=served.address) as response:
            return await response.read()

    assert talk(conversation) == b"a,b"


def test_headers_are_those_of_this_connection():
    """Encodings that are gone, hop-by-hop headers and what HTTP can't carry are left out."""
    status, headers, body = ask("/packed")
    assert (status, body) == (200, b"unpacked")
    assert headers["Content-Length"] == "8"
    assert not {"Content-Encoding", "Transfer-Encoding", "bad-value"} & set(headers)
    assert ask("/f.csv", "data.site.example")[1]["x-a"] == "ü"


def test_redirects_and_empty_answers_are_sent_as_recorded():
    """Status and Location as they were; 204 has no body; nothing is padded that was whole."""
    status, headers, _ = ask("/moved?q=1")
    assert (status, headers["Location"]) == (301, OTHER + "f.csv")
    assert ask("/nothing")[::2] == (204, b"")
    assert ask("/claims")[2] == b""


def test_heads_are_answered():
    """With the length that a GET has; a recorded HEAD stands where there is no GET."""
    status, headers, body = ask("/", method="HEAD")
    assert (status, headers["Content-Length"], body) == (200, str(len(PAGE)), b"")
    assert ask("/big", method="HEAD")[1]["Content-Length"] == str(1 << 30)
    assert ask("/probed", method="HEAD")[1]["Content-Length"] == "77"
    assert ask("/probed")[0] == 404
    assert ask("/refused", method="HEAD")[0] == 405
    assert ask("/gone", method="HEAD")[0] == 404


def test_other_methods_are_refused():
    """A recorded site takes no forms."""
    assert ask("/", method="POST")[0] == 405


def test_a_failure_is_a_hang_up():
    """What gave no answer when it was recorded gives none now."""
    with pytest.raises(aiohttp.ClientError):
        ask("/down")


def test_truncated_bodies_are_padded_to_their_size_without_memory():
    """A target of 1 GB is streamed; neither body nor padding is ever in memory as a whole."""

    async def conversation(served, client):
        read = 0
        async with client.get(served.address + "/big") as response:
            first = await response.content.readexactly(2)
            async for part in response.content.iter_chunked(1 << 16):
                read += len(part)
                if read > 64 << 20:
                    break
            response.close()
            return first, response.content_length

    tracemalloc.start()
    assert talk(conversation) == (b"PK", 1 << 30)
    assert tracemalloc.get_traced_memory()[1] < 16 << 20
    tracemalloc.stop()


def test_a_truncated_page_is_padded_with_spaces():
    """Small gaps too: what is sent is as long as the site said."""
    archive = MemoryArchive(
        SEED, [Recorded(Fetch(SEED), Response(SEED, 200, HTML, b"<p>", 9, truncated=True))]
    )

    async def run():
        async with (
            serve_archive(archive) as served,
            aiohttp.request("GET", served.address) as response,
        ):
            return await response.read()

    assert asyncio.run(run()) == b"<p>      "


def test_folded_pages_lead_to_the_local_address():
    """Links of the site become local ones, by their base; others stay as they are."""

    async def conversation(served, client):
        async with client.get(served.address) as response:
            return served.address, str(response.url), await response.text()

    address, url, text = talk(conversation, rewrite=True)
    assert url == f"{address}/https/www.site.example/"
    for expected in (
        f'href="{address}/https/www.site.example/dir/a.html?x=1&amp;y=2#top">é</a>',
        f'href="{address}/http/data.site.example/f.csv"',
        'href="https://elsewhere.example/"',
        'href="#here"',
        'href="mailto:a@b.c"',
        f'src="{address}/https/www.site.example/i.png"',
        f'action="{address}/https/www.site.example/s"',
        f'<base href="{address}/https/www.site.example/dir/">',
    ):
        assert expected in text


def test_folded_redirects_stay_local():
    """A redirect from http to https ends; one to another host of the site is followed."""

    async def conversation(served, client):
        async with client.get(served.address + "/http/www.site.example/") as response:
            assert response.status == 200
        address = served.address + "/https/www.site.example/moved?q=1"
        async with client.get(address) as response:
            return await response.read()

    assert talk(conversation, rewrite=True) == b"a,b"


@pytest.mark.parametrize("path", ["/robots.txt", "/https/", "/ftp/x/", "/https/unknown.example/"])
def test_folded_addresses_that_mean_nothing_are_not_found(path):
    """No address outside the recording answers."""
    assert ask(path, rewrite=True)[0] == 404


@pytest.mark.skipif(shutil.which("wget") is None, reason="wget is not installed")
def test_wget_crawls_a_folded_site(tmp_path):
    """Any crawler can be pointed at it: wget finds what the pages link to."""

    async def run():
        archive = site()
        archive.put(*answer(SEED + "dir/a.html?x=1&y=2", b"<p>deep", headers=HTML))
        async with serve_archive(archive, rewrite=True) as served:
            command = ("wget", "-q", "-r", "-l3", "--tries=1", "-P", str(tmp_path), served.start)
            process = await asyncio.create_subprocess_exec(*command)
            await asyncio.wait_for(process.wait(), 60)

    asyncio.run(run())
    contents = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert b"a,b" in contents
    assert any(b"deep" in content for content in contents)


def test_a_taken_port_is_told():
    """One line, that the user can mend."""

    async def conversation(served, _):
        port = int(served.address.rpartition(":")[2])
        with pytest.raises(UserError, match=f"can't serve at 127.0.0.1:{port}"):
            async with serve_archive(site(), port=port):
                pass

    talk(conversation)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serving_ends_cleanly(number):
    """It says where it is, and ends on Ctrl-C without a word or a fault."""
    code = (
        "from datahound.archive import MemoryArchive\n"
        "from datahound.archive.server import run_server\n"
        "run_server(MemoryArchive('http://a.example/'), port=0,\n"
        "    announce=lambda served: print(served.address, flush=True))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline().startswith("http://127.0.0.1:")
        process.send_signal(number)
        assert process.communicate(timeout=20) == ("", "")
        assert process.returncode == 0
