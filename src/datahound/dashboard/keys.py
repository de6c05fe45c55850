"""What the dashboard's application carries for all of its pages."""

from aiohttp import web

from datahound.dashboard.cache import Memory
from datahound.dashboard.crawls import Crawl, Crawls

CRAWLS = web.AppKey("crawls", Crawls)
MEMORY = web.AppKey("memory", Memory)


def crawl_of(request: web.Request) -> Crawl:
    """The crawl that an address names."""
    return request.app[CRAWLS].get(request.match_info["id"])
