"""Crawls that several tests look at, made once."""

import pytest
from crawled import Client, catalogue, crawl, demo_site, hostile_site, in_thread

from datahound.dashboard.app import serve_dashboard


@pytest.fixture(scope="session")
def crawls(tmp_path_factory):
    """A folder with a crawl of the built-in site and one of a hostile site, both catalogued."""
    root = tmp_path_factory.mktemp("crawls")
    crawl(demo_site(), root / "demo")
    crawl(hostile_site(), root / "hostile")
    for name in ("demo", "hostile"):
        catalogue(root / name)
    return root


@pytest.fixture(scope="session")
def client(crawls):
    with in_thread(lambda: serve_dashboard([crawls])) as serving:
        yield Client(serving)
