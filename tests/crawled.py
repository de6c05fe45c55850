"""Crawls to look at: of the built-in site, and of one that means harm."""

import asyncio
import contextlib
import http.client
import json
import threading
import zlib
from types import SimpleNamespace
from urllib.parse import urlencode

from pretend import PretendWeb
from websites import Website, data

from datahound.archive.synthetic import open_synthetic
from datahound.model import Fetch, FileRecord, Response
from datahound.runs.finish import update_catalog
from datahound.runs.options import make_options
from datahound.runs.run import Run

SMALL = "synthetic:demo?pages=150&targets=40&bodies=on"
HOSTILE_TITLE = "<script>alert(1)</script><img src=x onerror=alert(2)> \u202egpj.exe \x07"
HOSTILE_CELL = '=HYPERLINK("http://evil.example";"x")<svg onload=alert(3)>'


class KeepingWeb(PretendWeb):
    """A web whose files are really there."""

    def _keep(self, url):
        answer = self.archive.get(Fetch(url))
        name = f"www/{zlib.crc32(url.encode()):08x}-{url.rpartition('/')[2]}"
        path = self.files / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(answer.body)
        mime_type = answer.headers.get("content-type", "").partition(";")[0]
        self.ledger.started(url, "x.part")
        size = len(answer.body)
        self.ledger.finished(FileRecord(url, name, size, url, mime_type, "", "complete"))


def crawl(site, folder, *, before=None, **options):
    """Crawl a site from cache into a folder."""
    web = KeepingWeb(site, before)
    given = {"output": str(folder), "delay": 0, **options}
    run = Run(make_options(site.seed, given), going_online=web.going_online)
    return run, asyncio.run(run.go())


def catalogue(folder):
    """Look into the files of a crawl."""
    update_catalog(folder)


def demo_site(spec=SMALL):
    return open_synthetic(spec)


def hostile_site():
    """A site whose titles, texts, addresses and cells want to be more than text."""
    table = f'year,"{HOSTILE_CELL.replace(chr(34), chr(34) * 2)}",value\n2001,"<b>bold</b>",1\n'
    page = (
        f"<!doctype html><title>{HOSTILE_TITLE.replace('<', '&lt;')}</title>"
        '<ul class="&quot;&gt;&lt;script&gt;alert(8)&lt;/script&gt;">'
        '<li><a href="/deep.html">deep</a></li>'
        '<li><a href="/a.csv">&lt;script&gt;alert(4)&lt;/script&gt; \u202etxt</a></li>'
        '<li><a href="/x?q=&quot;&gt;&lt;script&gt;alert(5)&lt;/script&gt;">one</a></li>'
        '<li><a href="/%22onmouseover=alert(6)%22.html">two</a></li>'
        '<li><a href="javascript:alert(7)">three</a></li></ul>'
    )
    html = Response("", 200, {"content-type": "text/html; charset=utf-8"}, page.encode())
    return Website({"/": html, "/deep.html": html, "/a.csv": data((table * 40).encode())}).archive()


@contextlib.contextmanager
def in_thread(making):
    """What an asynchronous context manager gives, with its loop in a thread of its own."""
    ready, ended = threading.Event(), threading.Event()
    given = []

    async def live():
        async with making() as thing:
            given.append(thing)
            ready.set()
            await asyncio.to_thread(ended.wait)

    trouble = []

    def work():
        try:
            asyncio.run(live())
        except BaseException as error:  # noqa: BLE001 handed to whoever waits
            trouble.append(error)
            ready.set()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    ready.wait(30)
    if trouble:
        raise trouble[0]
    try:
        yield given[0]
    finally:
        ended.set()
        thread.join(30)


class Client:
    """Asks a dashboard, with whatever headers."""

    def __init__(self, serving):
        self.serving = serving
        self.netloc = serving.address.removeprefix("http://")

    def ask(self, path, method="GET", headers=None, form=None):
        connection = http.client.HTTPConnection(self.netloc, timeout=20)
        headers = {"Host": self.netloc, **(headers or {})}
        body = None
        if form is not None:
            body = urlencode(form, doseq=True)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return SimpleNamespace(
            status=response.status,
            headers=response.headers,
            body=content,
            text=content.decode("utf-8", "replace"),
        )

    def json(self, path):
        answer = self.ask(path)
        assert answer.headers["Content-Type"].startswith("application/json"), answer.text
        return json.loads(answer.text, parse_constant=_no_json)

    def form_token(self, path="/crawl/demo/data"):
        return self.ask(path).text.partition('name="form_token" value="')[2].partition('"')[0]


def _no_json(constant):
    raise AssertionError(f"{constant} is no JSON")
