"""Crawls of stand-in portals, over HTTP, with and without their APIs."""

import asyncio
import contextlib
import sqlite3
import sys
import threading
from pathlib import Path

import pytest
from aiohttp import web

sys.path.insert(0, str(Path(__file__).parent))
from standins import PORTALS, Ckan, Portal

from datahound.report.status import read_status
from datahound.runs import Run
from datahound.runs.options import make_options

COUNT = 50


@contextlib.contextmanager
def serving(portal):
    """The portal at an address on loopback, in a thread of its own."""
    loop, ready, stop = asyncio.new_event_loop(), threading.Event(), asyncio.Event()

    async def serve():
        runner = web.AppRunner(portal.app())
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        portal.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
        ready.set()
        await stop.wait()
        await runner.cleanup()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    ready.wait(20)
    try:
        yield portal.base
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


def crawl(portal, folder, **options):
    """The paths of the files found, in their order."""
    given = {"delay": 0.0, "early-stop": False, "list-only": True, "output": folder, **options}
    with serving(portal) as base:
        asyncio.run(Run(make_options(f"{base}/", given)).go())
    with contextlib.closing(sqlite3.connect(folder / "crawl.db")) as database:
        found = database.execute("SELECT url FROM target ORDER BY id").fetchall()
    return [url.removeprefix(base) for (url,) in found]


def requests_to(folder, share):
    """Requests after which a share of the files was found, files and robots.txt left out."""
    with contextlib.closing(sqlite3.connect(folder / "crawl.db")) as database:
        rows = [row[0] for row in database.execute("SELECT kind FROM request ORDER BY id")]
    wanted, asked, found = share * rows.count("target"), 0, 0
    for kind in rows:
        found += kind == "target"
        asked += kind != "target"
        if found >= wanted:
            break
    return asked


@pytest.mark.parametrize("name", PORTALS)
def test_all_files_come_by_the_api(name, tmp_path):
    """Every file is found, and 90 % of them for few answers of the API."""
    portal = PORTALS[name](COUNT)
    found = crawl(portal, tmp_path / "api")
    assert set(found) >= portal.paths()
    assert len(found) == len(set(found))
    by_api = requests_to(tmp_path / "api", 0.9)
    plain = PORTALS[name](COUNT)
    assert set(crawl(plain, tmp_path / "plain", api=False)) >= plain.paths()
    assert by_api <= 8
    assert requests_to(tmp_path / "plain", 0.9) >= 3 * by_api


def test_what_a_portal_lists_is_told(tmp_path):
    """Datasets, those without a file, and files on other hosts."""

    class Mixed(Ckan):
        def package(self, dataset):
            found = super().package(dataset)
            if dataset.number % 10 == 1:
                found["resources"] = []
            if dataset.number % 10 == 2:
                found["resources"][0]["url"] = f"http://other.example{dataset.path}"
            return found

        async def page(self, _):
            return self.html("nothing")

    crawl(Mixed(50), tmp_path / "x")
    assert read_status(tmp_path / "x").portals == (
        (
            "CKAN: 40 of 50 datasets; 5 have no file; 5 files on other hosts; "
            "recognized by 'content=\"ckan'"
        ),
    )


def test_long_lists_are_read_in_order_to_their_end(tmp_path):
    """A list goes on page by page, once each, and ends where nothing new comes."""

    class Short(Ckan):
        """Gives ten at most, and claims to have more than it has."""

        async def action(self, request):
            start = int(request.query.get("start", 0))
            found = [self.package(d) for d in self.datasets[start : start + 10]]
            found = found or [self.package(d) for d in self.datasets[:10]]
            result = {"count": 1_000_000, "results": found}
            return web.json_response({"success": True, "result": result})

    portal = Short(55)
    found = crawl(portal, tmp_path / "x")
    assert set(found) >= portal.paths()
    starts = [int(path.rpartition("start=")[2]) for path in portal.requests if "start=" in path]
    assert starts == sorted(set(starts))
    assert len(starts) <= 9


@pytest.mark.parametrize("status", [401, 403, 404, 500])
def test_a_refusal_ends_the_use_of_an_api(status, tmp_path):
    """One wrong answer, one line; the files come by pages."""

    class Refusing(Ckan):
        async def action(self, _):
            return web.Response(status=status, text="no")

    portal = Refusing(30)
    found = crawl(portal, tmp_path / "x", set={"web.max_retries": 0})
    assert set(found) == portal.paths()
    assert sum("/api/" in path for path in portal.requests) == 1
    (line,) = read_status(tmp_path / "x").portals
    assert line.startswith("CKAN: 127.0.0.1")
    assert line.endswith("it is not used.")


class Listed(Portal):
    """A site whose pages lead to half of its datasets; its sitemap names all pages."""

    def app(self):
        app = super().app()
        app.router.add_get("/robots.txt", self.robots)
        app.router.add_get("/maps/all.xml", self.sitemap)
        return app

    async def front(self, _):
        rows = [f'<li><a href="/dataset/{d.name}">{d.title}</a></li>' for d in self.datasets[::2]]
        return self.html(f"<ul>{''.join(rows)}</ul>")

    async def robots(self, _):
        return web.Response(text="User-agent: *\nDisallow:\nSitemap: /maps/all.xml\n")

    async def sitemap(self, _):
        urls = "".join(
            f"<url><loc>{self.base}/dataset/{d.name}</loc><lastmod>2025-01-01</lastmod></url>"
            for d in self.datasets
        )
        return web.Response(text=f"<urlset>{urls}</urlset>", content_type="text/xml")


def test_a_sitemap_finds_what_no_link_reaches(tmp_path):
    """The sitemap of robots.txt is read behind the links of pages, and not with --no-sitemap."""
    portal = Listed(40)
    found = crawl(portal, tmp_path / "with")
    assert set(found) == portal.paths()
    order = [path for path in portal.requests if path.startswith(("/dataset/", "/maps"))]
    assert order.index("/maps/all.xml") >= 20
    plain = Listed(40)
    assert len(crawl(plain, tmp_path / "without", sitemap=False)) == 20
    assert "/maps/all.xml" not in plain.requests


@pytest.mark.parametrize(("mark", "asked"), [("<title>Open data</title>", 2), ("", 0)])
def test_blind_questions_are_two(mark, asked, tmp_path):
    """Where the start page speaks of data: its sitemap and its catalogue, once each."""
    portal = Portal(30)
    portal.mark = mark
    crawl(portal, tmp_path / "x")
    blind = [path for path in portal.requests if path in ("/sitemap.xml", "/data.json")]
    assert len(blind) == len(set(blind)) == asked
    assert read_status(tmp_path / "x").portals == ()


def test_an_api_of_strangers_is_named(tmp_path):
    """A page says that its API is on a host of others: a line has the option that asks it."""
    portal = Portal(3)
    portal.mark = '<body data-site-root="http://api.example.net/"><p content="ckan 2.10">'
    crawl(portal, tmp_path / "x")
    (line,) = read_status(tmp_path / "x").portals
    assert line.startswith("CKAN: its API is on api.example.net, which is not asked: ")
    assert "--allow-host api.example.net" in line
