"""Routes other than pages: control of a crawl, files, the report, metrics."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from functools import partial
from urllib.parse import quote

from aiohttp import web
from multidict import MultiDict

from datahound.dashboard.cache import AnswerCache
from datahound.dashboard.crawls import Crawls, open_readable
from datahound.dashboard.guard import HEALTH
from datahound.dashboard.pages import files
from datahound.dashboard.pages.data import read_query
from datahound.dashboard.pages.fleet import FLEET, Fleet
from datahound.dashboard.request import CACHE, CRAWLS, Parameters, find_crawl
from datahound.errors import UserError
from datahound.report.page import render_report
from datahound.report.status import Figures, figures_of, metrics_text
from datahound.store.folder import command_crawl

# The report is one file with inline styles; everything else is forbidden.
_REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
_FILE_POLICY = "default-src 'none'; sandbox"


def add_routes(app: web.Application) -> None:
    """Add the routes to the application."""
    app.router.add_post("/crawl/{id:[^/]+}/control", _control)
    app.router.add_post("/crawl/{id:[^/]+}/zip", _zip)
    app.router.add_get("/crawl/{id:[^/]+}/file", _file)
    app.router.add_get("/crawl/{id:[^/]+}/report", _report)
    app.router.add_get("/metrics", _metrics)
    app.router.add_get(HEALTH, _say_healthy)


async def _control(request: web.Request) -> web.Response:
    crawl = await asyncio.to_thread(find_crawl, request)
    form = await request.post()
    # In a thread, since it reads a lock and writes a file.
    await asyncio.to_thread(command_crawl, crawl.folder.path, str(form.get("tell", "")))
    raise web.HTTPSeeOther(f"/crawl/{quote(crawl.id)}")


async def _file(request: web.Request) -> web.StreamResponse:
    crawl = await asyncio.to_thread(find_crawl, request)
    path = await asyncio.to_thread(files.find_path, crawl, request.query.get("url", ""))
    if FLEET in request.app:
        name = path.relative_to(crawl.folder.files).as_posix()
        await asyncio.to_thread(request.app[FLEET].fetch_file, crawl.folder.path.name, name)
    file = await asyncio.to_thread(files.open_kept_file, crawl.folder.files, path)
    with file:
        return await _stream(
            request, path.name, "application/octet-stream", files.read_pieces(file)
        )


async def _zip(request: web.Request) -> web.StreamResponse:
    crawl = await asyncio.to_thread(find_crawl, request)
    form = await request.post()
    if form.get("what") == "all":
        query = MultiDict((name, str(value)) for name, value in form.items())
        rows = files.read_searched(crawl, read_query(Parameters(query)))
    else:
        given = (str(value) for value in form.getall("id", []))
        ids = [int(value) for value in given if value.isascii() and value.isdigit()]
        if not ids:
            raise UserError("no dataset was chosen: tick some first")
        rows = files.read_picked(crawl, ids)
    if FLEET in request.app:
        rows = _fetch_files(request.app[FLEET], crawl.folder.path.name, rows)
    pieces = files.stream_zip(crawl.folder.files, rows)
    return await _stream(request, f"{crawl.id}.zip", "application/zip", pieces)


def _fetch_files(fleet: Fleet, name: str, rows: Iterator[files.Row]) -> Iterator[files.Row]:
    """Yield each row as soon as its file has been fetched from the store."""
    for row in rows:
        fleet.fetch_file(name, str(row[0]))
        yield row


async def _stream(
    request: web.Request, name: str, kind: str, pieces: AsyncIterator[bytes]
) -> web.StreamResponse:
    """Stream a body for the browser to save, never to display."""
    headers = {
        "Content-Disposition": files.describe_attachment(name),
        "Content-Type": kind,
        "Content-Security-Policy": _FILE_POLICY,
    }
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        async for piece in pieces:
            await response.write(piece)
        await response.write_eof()
    return response


async def _report(request: web.Request) -> web.Response:
    crawl = await asyncio.to_thread(find_crawl, request)
    text = await asyncio.to_thread(render_report, crawl.folder.path)
    headers = {"Content-Security-Policy": _REPORT_POLICY}
    return web.Response(text=text, content_type="text/html", headers=headers)


async def _say_healthy(_request: web.Request) -> web.Response:
    return web.Response(text="ok\n")


async def _metrics(request: web.Request) -> web.Response:
    app = request.app
    if FLEET in app:
        text = await asyncio.to_thread(app[FLEET].write_metrics)
    else:
        text = await asyncio.to_thread(_measure_crawls, app[CRAWLS], app[CACHE])
    return web.Response(body=text.encode(), headers={"Content-Type": METRICS_TYPE})


def _measure_crawls(crawls: Crawls, cache: AnswerCache) -> str:
    figures: dict[str, Figures] = {}
    for crawl, connection in open_readable(crawls.all()):
        running = crawl.folder.is_claimed()
        ask = partial(figures_of, connection, running=running)
        figures[crawl.id] = cache.get(crawl.folder.database, ("figures", running), ask)
    return metrics_text(figures)


METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
