"""What is more than a page: telling a crawl, files, the report, metrics."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from urllib.parse import quote

from aiohttp import web
from multidict import MultiDict

from datahound.dashboard.cache import Memory
from datahound.dashboard.crawls import Crawls, readable
from datahound.dashboard.keys import CRAWLS, MEMORY, crawl_of
from datahound.dashboard.pages import files
from datahound.dashboard.pages.data import query_of
from datahound.dashboard.request import Asked
from datahound.errors import UserError
from datahound.runs.metrics import Figures, figures_of, metrics_text
from datahound.store.control import tell

_REPORT = "datahound.report.page"
# The report is one file with its own styles: it may have them, and nothing else.
_REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
_FILE_POLICY = "default-src 'none'; sandbox"


def add_routes(app: web.Application) -> None:
    """Give the dashboard its other addresses."""
    app.router.add_post("/crawl/{id:[^/]+}/control", _control)
    app.router.add_post("/crawl/{id:[^/]+}/zip", _zip)
    app.router.add_get("/crawl/{id:[^/]+}/file", _file)
    app.router.add_get("/crawl/{id:[^/]+}/report", _report)
    app.router.add_get("/metrics", _metrics)


def has_report() -> bool:
    return find_spec(_REPORT) is not None


async def _control(request: web.Request) -> web.Response:
    crawl = await asyncio.to_thread(crawl_of, request)
    form = await request.post()
    await asyncio.to_thread(tell, crawl.folder.path, str(form.get("tell", "")))
    raise web.HTTPSeeOther(f"/crawl/{quote(crawl.id)}")


async def _file(request: web.Request) -> web.StreamResponse:
    crawl = await asyncio.to_thread(crawl_of, request)
    path = await asyncio.to_thread(files.path_of, crawl, request.query.get("url", ""))
    file = await asyncio.to_thread(files.open_kept, crawl.folder.files, path)
    with file:
        return await _sent(request, path.name, "application/octet-stream", files.pieces(file))


async def _zip(request: web.Request) -> web.StreamResponse:
    crawl = await asyncio.to_thread(crawl_of, request)
    form = await request.post()
    if form.get("what") == "all":
        query = MultiDict((name, str(value)) for name, value in form.items())
        rows = files.searched(crawl, query_of(Asked(crawl, query)))
    else:
        given = (str(value) for value in form.getall("id", []))
        ids = [int(value) for value in given if value.isascii() and value.isdigit()]
        if not ids:
            raise UserError("no dataset was chosen: tick some first")
        rows = files.picked(crawl, ids)
    pieces = files.zipped(crawl.folder.files, rows)
    return await _sent(request, f"{crawl.id}.zip", "application/zip", pieces)


async def _sent(
    request: web.Request, name: str, kind: str, pieces: AsyncIterator[bytes]
) -> web.StreamResponse:
    """Send a body bit by bit, to be saved and never shown."""
    headers = {
        "Content-Disposition": files.attachment(name),
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
    if not has_report():
        raise UserError("there is no report here")
    crawl = await asyncio.to_thread(crawl_of, request)
    render: Any = import_module(_REPORT).render_report
    text = await asyncio.to_thread(render, crawl.folder.path)
    headers = {"Content-Security-Policy": _REPORT_POLICY}
    return web.Response(text=text, content_type="text/html", headers=headers)


async def _metrics(request: web.Request) -> web.Response:
    text = await asyncio.to_thread(_measured, request.app[CRAWLS], request.app[MEMORY])
    return web.Response(body=text.encode(), headers={"Content-Type": METRICS_TYPE})


def _measured(crawls: Crawls, memory: Memory) -> str:
    figures: dict[str, Figures] = {}
    for crawl, connection in readable(crawls.all()):
        running = crawl.folder.is_claimed()
        ask = partial(figures_of, connection, running=running)
        figures[crawl.id] = memory.recall(crawl.folder.database, ("figures", running), ask)
    return metrics_text(figures)


METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
