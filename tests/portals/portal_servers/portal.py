"""What all portal servers share: pages of HTML, files, a log of requests, a thread to run in."""

import asyncio
import contextlib
import socket
import threading
from html import escape
from urllib.parse import quote

from aiohttp import web

from .catalogue import ELSEWHERE, make_catalogue

POSTED = "#post"
"""The end of the path of a request by POST."""
LISTED = 20
"""Datasets per page of HTML."""


class Portal:
    """A server of the pages that people see; subclasses add the API of their platform."""

    head = ""
    """Markup in the head of each page."""
    headers = ()
    has_pages = True
    """Whether the files are linked from pages of HTML."""

    def __init__(self, count=1000):
        self.datasets = make_catalogue(count)
        self.by_name = {dataset.name: dataset for dataset in self.datasets}
        self.base = ""
        self.requests = []
        """Paths with queries, in the order in which they were asked for."""
        self._documents = {}

    def api(self):
        """The routes of the API."""
        return ()

    def list_path(self, page):
        return f"/datasets?page={page}"

    def dataset_path(self, dataset):
        return f"/datasets/{dataset.name}"

    def file_path(self, dataset, file):
        return f"/files/{dataset.number}/{file.name}"

    def page_links(self, dataset):
        """Addresses and texts of the links of a dataset's page."""
        return [(self.file_url(dataset, file), file.title) for file in dataset.files]

    def front_links(self):
        """Addresses and texts of the links of the start page, besides the one to the list."""
        return ()

    def own_paths(self):
        """Paths of all files that the portal has, as its API names them."""
        return {self.file_path(d, f) for d in self.datasets for f in d.own_files}

    def same_file(self, path):
        """The path by which the API names the file that a path leads to."""
        return path

    def file_url(self, dataset, file):
        path = self.file_path(dataset, file)
        return f"{ELSEWHERE if file.is_elsewhere else self.base}{path}"

    def landing(self, dataset):
        return f"{self.base}{self.dataset_path(dataset)}"

    def html(self, title, links, more=""):
        rows = "".join(f'<li><a href="{escape(a)}">{escape(t)}</a></li>' for a, t in links)
        return (
            f"<!DOCTYPE html><html><head><title>{escape(title)}</title>{self.head}</head><body>"
            f'<nav><a href="/">Home</a> <a href="{self.list_path(1)}">Datasets</a></nav>'
            f'<main><h1>{escape(title)}</h1><ul class="list">{rows}</ul>{more}</main></body></html>'
        )

    def documents(self):
        """Paths and contents of everything but the API: text of pages, and files."""
        yield "/", self.html("Open data of Brovik", self.front_links())
        if not self.has_pages:
            return
        pages = -(-len(self.datasets) // LISTED)
        for page in range(1, pages + 1):
            some = self.datasets[(page - 1) * LISTED : page * LISTED]
            links = [(self.dataset_path(dataset), dataset.title) for dataset in some]
            text = self.html(f"Datasets, {page}", links, self.pager(page, pages))
            yield self.list_path(page), text
            if page == 1:
                yield self.list_path(1).partition("?")[0], text
        for dataset in self.datasets:
            text = f"<p>{dataset.description}</p>"
            yield (
                self.dataset_path(dataset),
                self.html(dataset.title, self.page_links(dataset), text),
            )

    def files(self):
        """Paths and files that the portal serves as they are."""
        return ((self.file_path(d, f), f) for d in self.datasets for f in d.own_files)

    def pager(self, page, pages):
        shown = sorted({1, pages, *range(max(1, page - 2), min(pages, page + 2) + 1)})
        links = "".join(f'<a href="{escape(self.list_path(n))}">{n}</a> ' for n in shown)
        return f'<div class="pagination">{links}</div>'

    def app(self):
        @web.middleware
        async def note(request, handler):
            self.requests.append(request.raw_path + POSTED * (request.method == "POST"))
            response = await handler(request)
            response.headers.update(self.headers)
            return response

        app = web.Application(middlewares=[note])
        app.add_routes(self.api())
        app.router.add_get("/{path:.*}", self.document)
        for path, content in self.documents():
            self._documents[path] = content
        for path, file in self.files():
            self._documents[path] = file
        return app

    async def document(self, request):
        found = self._documents.get(request.raw_path)
        if found is None:
            return web.Response(
                status=404, text=self.html("Not found", ()), content_type="text/html"
            )
        if isinstance(found, str):
            return web.Response(text=found, content_type="text/html")
        return send_file(found)


def send_file(file):
    name = {"Content-Disposition": f'attachment; filename="{quote(file.name)}"'}
    return web.Response(body=file.body, content_type=file.mime_type, headers=name)


def some_of(items, start, size):
    return items[max(0, start) : max(0, start) + max(0, size)]


def read_number(text):
    """The number that a parameter has; None where it is no natural number."""
    return int(text) if text.isascii() and text.isdigit() else None


@contextlib.contextmanager
def serving(portal):
    """The portal at an address on loopback, in a thread of its own."""
    loop, ready, stop = asyncio.new_event_loop(), threading.Event(), asyncio.Event()

    async def serve():
        # The address is part of what portals answer, so it is known before their pages are made.
        listening = socket.create_server(("127.0.0.1", 0))
        portal.base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        runner = web.AppRunner(portal.app(), access_log=None)
        await runner.setup()
        await web.SockSite(runner, listening).start()
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
