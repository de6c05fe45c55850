"""The dashboard: every page as HTML, the same values as JSON, served until a signal comes."""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import quote

from aiohttp import web
from jinja2 import Environment

from datahound.dashboard import routes
from datahound.dashboard.cache import AnswerCache
from datahound.dashboard.crawls import Crawls, CrawlView
from datahound.dashboard.guard import GUARD, MIDDLEWARES, AccessRules, add_headers
from datahound.dashboard.pages import data, explain, lists, news, overview
from datahound.dashboard.pages import fleet as fleets
from datahound.dashboard.pages.fleet import FLEET, Fleet
from datahound.dashboard.request import CACHE, CRAWLS, PageRequest, Parameters, find_crawl
from datahound.errors import DatahoundError, StorageError, UserError
from datahound.machine import start_listening
from datahound.report.format import load_templates, to_json

View = Callable[[PageRequest], dict[str, Any]]

_PAGES = web.AppKey("pages", Environment)
_COUNTING = web.AppKey("counting", asyncio.Task[None])
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def make_app(
    roots: Sequence[Path], guard: AccessRules, fleet: Fleet | None = None
) -> web.Application:
    """Make the application for the crawls in some folders, or in the store of a fleet."""
    app = web.Application(middlewares=[_report_errors, *MIDDLEWARES], client_max_size=1 << 20)
    app[GUARD] = guard
    app[CRAWLS] = Crawls(roots, "shipped" if fleet else "cut off")
    app[_PAGES] = _load_pages()
    app.on_response_prepare.append(add_headers)
    app.cleanup_ctx.append(_count_in_background)
    cache = app[CACHE] = AnswerCache()
    _add(app, "", "crawl.html", partial(overview.show_overview, cache=cache))
    _add(app, "/data", "data.html", partial(data.show_data, cache=cache))
    _add(app, "/data/{part:[0-9]+}", "dataset.html", data.show_dataset)
    _add(app, "/explain", "explain.html", explain.show_url)
    _add(app, "/groups", "groups.html", explain.show_groups)
    _add(app, "/groups/{part:[0-9]+}", "group.html", explain.show_group)
    _add(app, "/new", "new.html", news.show_news)
    _add(app, "/pages", "pages.html", lists.show_pages)
    _add(app, "/requests", "requests.html", lists.show_requests)
    _add(app, "/skipped", "skipped.html", lists.show_skipped)
    if fleet:
        _add_fleet(app, fleet)
    for path in ("/index",) if fleet else ("/", "/index"):
        app.router.add_get(path, _home)
        app.router.add_get(f"{path}.json", _home)
    routes.add_routes(app)
    _add_static(app)
    return app


def _load_pages() -> Environment:
    """Load and compile all templates, so that the first page is as fast as the others."""
    pages = load_templates("datahound.dashboard")
    for name in pages.list_templates():
        pages.get_template(name)
    return pages


def _add(app: web.Application, path: str, template: str, view: View) -> None:
    async def as_html(request: web.Request) -> web.Response:
        return await asyncio.to_thread(
            _answer_html, request, template, partial(_read_values, request, view)
        )

    async def as_json(request: web.Request) -> web.Response:
        return await asyncio.to_thread(_answer_json, partial(_read_values, request, view))

    app.router.add_get(f"/crawl/{{id:[^/]+}}{path}.json", as_json)
    app.router.add_get(f"/crawl/{{id:[^/]+}}{path}", as_html)


async def _home(request: web.Request) -> web.Response:
    view = partial(overview.show_home, request.app[CRAWLS], request.app[CACHE])
    if request.path.endswith(".json"):
        return await asyncio.to_thread(_answer_json, view)
    return await asyncio.to_thread(_answer_html, request, "home.html", view)


def _add_fleet(app: web.Application, fleet: Fleet) -> None:
    """Add the pages over all crawls of a fleet; the start page is one of them."""
    app[FLEET] = fleet
    for path, template, view in (
        ("/", "fleet.html", fleets.show_fleet),
        ("/fleet", "fleet.html", fleets.show_fleet),
        ("/fleet/data", "fleet_data.html", fleets.search_fleet),
    ):
        app.router.add_get(path, partial(_answer_fleet, template, view))
        app.router.add_get(f"{path}.json", partial(_answer_fleet, "", view))
    app.router.add_get("/fleet/crawl/{name:[^/]+}", _open_crawl)


async def _answer_fleet(
    template: str,
    view: Callable[[Fleet, Parameters], dict[str, Any]],
    request: web.Request,
) -> web.Response:
    values = partial(view, request.app[FLEET], Parameters(request.query))
    if template:
        return await asyncio.to_thread(_answer_html, request, template, values)
    return await asyncio.to_thread(_answer_json, values)


async def _open_crawl(request: web.Request) -> web.Response:
    """Fetch a crawl from the store, and redirect to its pages, or to one of its datasets."""
    fleet, name = request.app[FLEET], request.match_info["name"]
    folder = await asyncio.to_thread(fleet.fetch_crawl, name)
    url = request.query.get("url", "")
    number = await asyncio.to_thread(data.locate_dataset, folder, url)
    id_ = await asyncio.to_thread(request.app[CRAWLS].find_id, folder)
    page = "" if number is None else f"/data/{number}"
    raise web.HTTPSeeOther(f"/crawl/{quote(id_)}{page}")


def _read_values(request: web.Request, view: View) -> dict[str, Any]:
    crawl = find_crawl(request)
    part = request.match_info.get("part", "0")
    # SQLite can't store numbers of more than 18 digits: they would cause an answer of status 500.
    if len(part) > 15:
        raise UserError("there is no such page")
    return {"id": crawl.id, **view(PageRequest(crawl, request.query, int(part)))}


def _answer_html(
    request: web.Request, template: str, view: Callable[[], dict[str, Any]]
) -> web.Response:
    return render_page(request, template, view())


def render_page(
    request: web.Request, template: str, values: Mapping[str, Any], status: int = 200
) -> web.Response:
    """Render a page from a template."""
    app = request.app
    named = {
        "form_token": app[GUARD].form_token,
        "params": request.query,
        "twin": f"{request.path}.json?{request.query_string}".removesuffix("?"),
        "base": f"/crawl/{quote(str(values.get('id', '')))}",
        "of_fleet": FLEET in app,
    }
    text = app[_PAGES].get_template(template).render({**named, **values})
    return web.Response(text=text, content_type="text/html", status=status)


def _answer_json(view: Callable[[], dict[str, Any]]) -> web.Response:
    return web.Response(text=to_json(view()), content_type="application/json")


@web.middleware
async def _report_errors(
    request: web.Request, handler: Callable[[web.Request], Any]
) -> web.StreamResponse:
    """Answer an error with one line, as a page or as JSON."""
    try:
        response: web.StreamResponse = await handler(request)
        return response
    except StorageError as error:
        message, status = str(error), 503
    except UserError as error:
        message, status = str(error), 404
    except DatahoundError as error:
        message, status = str(error), 503
    except web.HTTPException as error:
        # aiohttp raises redirects, too.
        if error.status < 400:
            raise
        message, status = (error.text or error.reason).strip(), error.status
    # The browser has closed the connection.
    except ConnectionError:
        raise
    except Exception as error:  # the outermost handler: the server must survive
        logging.getLogger(__name__).exception("a fault in Datahound, please report it")
        message, status = f"a fault in Datahound: {type(error).__name__}", 500
    if request.path.endswith(".json"):
        text = to_json({"error": message})
        return web.Response(text=text, content_type="application/json", status=status)
    return render_page(request, "message.html", {"message": message, "status": status}, status)


def _add_static(app: web.Application) -> None:
    folder = resources.files("datahound.dashboard") / "static"
    for file in folder.iterdir():
        kind = _TYPES.get(Path(file.name).suffix)
        if kind:
            app.router.add_get(f"/static/{file.name}", partial(_static, file.read_bytes(), kind))


async def _static(body: bytes, kind: str, _request: web.Request) -> web.Response:
    # Browsers check for a newer version each time: after an upgrade, old scripts would not fit.
    headers = {"Cache-Control": "no-cache"}
    return web.Response(body=body, content_type=kind, charset="utf-8", headers=headers)


async def _count_in_background(app: web.Application) -> Any:
    """Count all crawls in the background, so that pages do not wait for the counts."""
    app[_COUNTING] = asyncio.create_task(_count_all(app[CRAWLS]))
    yield
    app[_COUNTING].cancel()
    await asyncio.gather(app[_COUNTING], return_exceptions=True)


async def _count_all(crawls: Crawls) -> None:
    for crawl in await asyncio.to_thread(crawls.all):
        while not crawl.counters.is_complete:
            try:
                await asyncio.to_thread(_count_some, crawl)
            except DatahoundError:
                break
            # A pause in which requests for pages are answered.
            await asyncio.sleep(0.02)


def _count_some(crawl: CrawlView) -> None:
    with crawl.open_database() as connection:
        crawl.counters.update(connection)


@dataclass(frozen=True, slots=True)
class RunningDashboard:
    """A dashboard that accepts requests."""

    address: str
    token: str
    crawls: int

    @property
    def link(self) -> str:
        """The address, with the token if there is one."""
        return f"{self.address}/?token={self.token}" if self.token else f"{self.address}/"


@asynccontextmanager
async def serve_dashboard(
    roots: Sequence[Path],
    host: str = "127.0.0.1",
    port: int = 0,
    token: str | None = None,
    fleet: Fleet | None = None,
) -> AsyncIterator[RunningDashboard]:
    """Serve the crawls in some folders, or those of a fleet, while the context lasts."""
    for root in roots:
        if not root.is_dir():
            raise UserError(f"{root}: there is no such folder")
    guard = AccessRules.create(host, token)
    app = make_app(roots, guard, fleet)
    # One second: an open download must not delay Ctrl-C.
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        address = await start_listening(runner, host, port)
        crawls = await asyncio.to_thread(app[CRAWLS].all)
        yield RunningDashboard(address, guard.token, len(crawls))
    finally:
        await runner.cleanup()


def serve_until_stopped(
    roots: Sequence[Path],
    host: str,
    port: int,
    token: str | None,
    announce: Callable[[RunningDashboard], None],
    fleet: Fleet | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM."""

    async def until_stopped() -> None:
        stopped = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
        async with serve_dashboard(roots, host, port, token, fleet) as serving:
            announce(serving)
            await stopped.wait()

    asyncio.run(until_stopped())
