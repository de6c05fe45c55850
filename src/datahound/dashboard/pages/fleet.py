"""The pages over a fleet: its sites and workers, what is new, and a search in all catalogues."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from aiohttp import web

from datahound.catalog.catalog import Catalog
from datahound.dashboard.pages.data import PAGE, read_query, view_facets, view_hits
from datahound.dashboard.request import Parameters
from datahound.report.charts import scale_bars

_SITES = 100
_NEWS = 20


class Fleet(Protocol):
    """A fleet, as far as the dashboard needs it; its crawls are in a store."""

    def describe(self) -> Mapping[str, Any]:
        """The sites, workers and totals as plain data, read again every few seconds."""
        ...

    def find_catalog(self) -> Path | None:
        """The folder of the catalogue of all sites; None while there is none."""
        ...

    def fetch_crawl(self, name: str) -> Path:
        """Copy the databases of one crawl from the store to a local folder; returns the folder."""
        ...

    def fetch_file(self, name: str, path: str) -> None:
        """Copy one data file of a crawl to its local folder, if it is not there."""
        ...

    def write_metrics(self) -> str:
        """The figures of the fleet for Prometheus."""
        ...


FLEET = web.AppKey("fleet", Fleet)


def show_fleet(fleet: Fleet, query: Parameters) -> dict[str, Any]:
    """Totals, workers, failures, what is new, and the sites that match a filter."""
    found = fleet.describe()
    words, state = query.text("q").lower(), query.text("state")
    sites = [
        site for site in found["sites"]
        if words in f"{site['url']} {site['reason']}".lower() and state in ("", site["state"])
    ]  # fmt: skip
    offset = query.number("offset") or 0
    following = offset + _SITES
    # Among all sites, not only those that match.
    newest = sorted(found["sites"], key=lambda site: -site["news"].get("new", 0))
    return {
        **found,
        "sites": sites[offset:following],
        "matching": len(sites),
        "in_all": len(found["sites"]),
        "next": following if following < len(sites) else None,
        "q": query.text("q"),
        "state": state,
        "bars": scale_bars(list(found["states"].items())),
        "newest": [site for site in newest[:_NEWS] if site["news"].get("new")],
        "searchable": fleet.find_catalog() is not None,
    }


def search_fleet(fleet: Fleet, query: Parameters) -> dict[str, Any]:
    """The datasets of all sites that match a search, with facets."""
    folder = fleet.find_catalog()
    if folder is None:
        return {"catalogue": False, "total": 0, "entries": []}
    wanted = read_query(query)
    offset = query.number("offset") or 0
    with Catalog(folder) as catalog:
        found = catalog.search(wanted, offset, PAGE)
        facets = view_facets(catalog.facets(wanted))
    return {
        "catalogue": True,
        "query": asdict(wanted),
        **view_hits(found, offset),
        "entries": [
            {**asdict(entry), "crawl": entry.path.partition("/")[0]} for entry in found.entries
        ],
        **facets,
    }
