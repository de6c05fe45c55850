"""Requests to portals' APIs and to sitemaps: which answers are of use, and when a list ends."""

import re
from dataclasses import replace

from datahound.crawl.event_log import EventLog
from datahound.crawl.strategy import State
from datahound.events import ListRead, PortalEnded, Skipped
from datahound.model import ENDPOINT, Link, Page, Response, Skip
from datahound.readers import add_queries, make_endpoint, make_sitemap_link, read_listing
from datahound.settings import Services
from datahound.web.urls import host_of, origin_and_path

_BARREN_PAGES = 2
"""Pages in a row without anything new that end a list: the first may repeat what pages show."""
_MAX_CHAIN = 5000
"""Pages of one list, going by the depth of their links."""
_SITEMAP = "sitemap"
BLIND = "@blind"
_PORTAL = re.compile(
    r"\b(?:open ?data|opendata|data ?portal|data|datos|dados|dati|daten|donn[eé]es|datasets?)\b",
    re.IGNORECASE,
)
_BLIND_SITEMAP, _BLIND_CATALOGUE = "/sitemap.xml", "/data.json"


class Portals:
    """Which platforms have answered, by the origin of their API."""

    def __init__(self, services: Services, log: EventLog, largest_table: int) -> None:
        self._services = services
        self._log = log
        self._largest_table = largest_table
        self._max_cells: dict[str, int] = {}
        """By portal, the limit of cells per answer that it states, if it states one."""
        self._proven: set[str] = set()
        self._ended: set[str] = set()
        """Platforms that never gave an answer of use, and origins whose API was refused."""
        self._barren: dict[str, int] = {}
        """By URL of a page of a list, how many pages in a row before it brought nothing new."""

    def is_wanted(self, link: Link) -> bool:
        """Whether the user wants what a link of a list is for."""
        is_sitemap = link.tag_path.startswith(f"{ENDPOINT}{_SITEMAP} ")
        return self._services.sitemaps if is_sitemap else self._services.api

    def has_ended(self, link: Link) -> bool:
        """Whether a platform's answers were of no use, so that no more are asked for."""
        name = _name_portal(link)
        return name in self._ended or _platform_of(name) in self._ended

    def read(self, link: Link, response: Response, requests: int) -> Page | None:
        """What an endpoint's answer lists; None if it is of no use, which ends the portal."""
        page = response.page or (read_listing(response) if response.body else None)
        listing = page.listing if page else None
        name = _name_portal(link)
        is_of_use = page is not None and listing is not None and _has_content(page)
        # Of this portal alone: another one of the platform may be open.
        is_refused = response.status in (401, 403)
        if is_refused or (not is_of_use and name not in self._proven):
            self._stop_asking(link, is_refused=is_refused)
            remark = listing.remark if listing else ""
            self._log.add(PortalEnded(requests, link, response.status, remark))
            return None
        if page is None or listing is None:
            return None
        # An API that was of use once may fail later without being given up.
        self._proven.add(name)
        if page.max_cells:
            self._max_cells[name] = page.max_cells
        page = self._ask_for_tables(page, link, name)
        self._log.add(ListRead(requests, link, page.listing or listing, len(page.links)))
        return page

    def _ask_for_tables(self, page: Page, link: Link, name: str) -> Page:
        """A page with queries for its tables; those that are too large are left out."""
        limits = self._max_cells.get(name), self._largest_table
        page, left_out = add_queries(page, link.anchor, *limits)
        for table in left_out:
            named = Link(table.url, "", table.title or link.anchor, found_on=page.url)
            self._log.add(Skipped(named, Skip.LARGE_TABLE))
        return page

    def note_listing(self, link: Link, page: Page, requests: int) -> None:
        """Report that a file or page of the site is a list."""
        if page.listing is not None:
            self._log.add(ListRead(requests, link, page.listing, len(page.links)))

    def note_elsewhere(self, link: Link, requests: int) -> None:
        """Report, once, an API that is not asked because its host is not of the site."""
        name = _name_portal(link)
        if name not in self._ended and self.is_wanted(link):
            self._ended.add(name)
            self._log.add(PortalEnded(requests, link, None, is_elsewhere=True))

    def end(self, link: Link, requests: int) -> None:
        """Learn that an endpoint gave no answer."""
        name = _name_portal(link)
        if name not in self._proven:
            self._stop_asking(link)
            self._log.add(PortalEnded(requests, link, None))

    def _stop_asking(self, link: Link, *, is_refused: bool = False) -> None:
        """Stop asking an API, and its platform on any host if no API of it was ever of use."""
        # A later round guesses endpoints, without numbers: a failure says nothing of others.
        if link.number < 0:
            return
        name = _name_portal(link)
        self._ended.add(name)
        platform = _platform_of(name)
        if not is_refused and all(_platform_of(proven) != platform for proven in self._proven):
            self._ended.add(platform)

    def list_further(self, page: Page, depth: int, *, is_new: bool) -> list[Link]:
        """The pages that follow a page of a list, if it has brought something new."""
        # A list may have no end, such as that of a calendar.
        if not page.next_pages or depth >= _MAX_CHAIN:
            return []
        barren = 0 if is_new else self._barren.pop(page.url, 0) + 1
        if barren >= _BARREN_PAGES:
            return []
        if barren:
            # Stored by the URLs of the next pages: these will not say which page led to them.
            self._barren.update(dict.fromkeys((link.url for link in page.next_pages), barren))
        return [link for link in page.next_pages if self.is_wanted(link)]

    def list_endpoints(self, page: Page) -> list[Link]:
        """The endpoints that a page reveals, as far as the user wants them."""
        return [link for link in page.endpoints if self.is_wanted(link)]

    def add_questions(self, page: Page, response: Response, *, is_first: bool) -> Page:
        """A page with the sitemaps of robots.txt, and two URLs that are guessed."""
        named = [make_sitemap_link(url, "robots.txt", page.url) for url in response.sitemaps]
        # At most two requests, and only where the start page makes an answer likely.
        if is_first and _is_portal_or_app(page):
            origin, _ = origin_and_path(page.url)
            if not named:
                named.append(make_sitemap_link(origin + _BLIND_SITEMAP, "guess", page.url))
            catalogue = origin + _BLIND_CATALOGUE
            request = f"catalogue {BLIND}"
            named.append(make_endpoint(catalogue, "dcat-us", request, "guess", page.url))
        return replace(page, endpoints=(*page.endpoints, *named)) if named else page

    def snapshot(self) -> State:
        return {
            "proven": sorted(self._proven),
            "ended": sorted(self._ended),
            "barren": [list(pair) for pair in self._barren.items()],
            "max_cells": dict(self._max_cells),
        }

    def restore(self, state: State) -> None:
        self._proven, self._ended = set(state["proven"]), set(state["ended"])
        self._barren, self._max_cells = dict(state["barren"]), dict(state["max_cells"])


def _name_portal(link: Link) -> str:
    """The origin of an endpoint and its platform."""
    return f"{origin_and_path(link.url)[0]} {link.tag_path.split(' ', 2)[1]}"


def _is_portal_or_app(page: Page) -> bool:
    """Whether the start page seems to be that of a portal, or shows no links without scripts."""
    return page.needs_script or bool(_PORTAL.search(f"{host_of(page.url)} {page.title}"))


def _platform_of(name: str) -> str:
    return name.rpartition(" ")[2]


def _has_content(page: Page) -> bool:
    listing = page.listing
    named = bool(page.links or page.endpoints or page.next_pages)
    return named or (listing is not None and not listing.remark and listing.request != "error")
