"""Crawls of made-up portals find all files, and by their APIs for few requests."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from portal_servers import PORTALS, crawl_portal

from datahound.report.status import read_status

COUNT = int(os.environ.get("DATAHOUND_PORTAL_DATASETS", "60"))
"""The benchmark has 1,000; with that number the saving is at its full size."""
RATIO = 50 if COUNT >= 1000 else COUNT / 10
NOT_READ = {"pxweb-1"}
WITH_PAGES = [name for name, p in PORTALS.items() if p.has_pages and name not in NOT_READ]
WITHOUT_PAGES = [name for name, p in PORTALS.items() if not p.has_pages and name not in NOT_READ]


@pytest.mark.parametrize("name", WITH_PAGES)
def test_an_api_finds_files_for_a_fraction_of_the_requests(name, tmp_path):
    """All files are found in both ways; 90 % by the API for far fewer requests than by pages."""
    by_api = crawl_portal(PORTALS[name](COUNT), tmp_path / "api")
    by_pages = crawl_portal(PORTALS[name](COUNT), tmp_path / "pages", api=False)
    assert not by_api.missed
    assert not by_pages.missed
    assert by_api.overhead_to(0.9) * RATIO <= by_pages.overhead_to(0.9)
    (line,) = read_status(tmp_path / "api").portals
    assert line


@pytest.mark.parametrize("name", WITHOUT_PAGES)
def test_an_api_finds_what_no_page_links_to(name, tmp_path):
    """All files of portals whose pages are made by scripts, or are forms."""
    measure = crawl_portal(PORTALS[name](COUNT), tmp_path)
    assert not measure.missed
    assert measure.wanted
